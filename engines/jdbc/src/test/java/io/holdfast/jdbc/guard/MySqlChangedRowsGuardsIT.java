package io.holdfast.jdbc.guard;

import io.holdfast.jdbc.Db;
import io.holdfast.rig.servers.MySqlServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

/** A driver that is told to count only rows whose values differ. */
@EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
class MySqlChangedRowsGuardsIT implements GuardRules, ColumnRules {

  private static MySqlServer server;
  private static DataSource source;

  @BeforeAll
  static void start() {
    server = MySqlServer.start();
    server.createDatabase("guards");
    source = Db.mySql(server.jdbcUri("guards", server.user()) + "&useAffectedRows=true");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public DataSource source() {
    return source;
  }
}
