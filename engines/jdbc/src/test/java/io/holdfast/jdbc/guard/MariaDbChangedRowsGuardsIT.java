package io.holdfast.jdbc.guard;

import io.holdfast.jdbc.Db;
import io.holdfast.rig.servers.MariaDbServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A driver that is told to count only rows whose values differ. */
class MariaDbChangedRowsGuardsIT implements GuardRules, ColumnRules {

  private static MariaDbServer server;
  private static DataSource source;

  @BeforeAll
  static void start() {
    server = MariaDbServer.start();
    server.createDatabase("guards");
    source = Db.mariaDb(server.jdbcUri("guards", server.user()) + "&useAffectedRows=true");
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
