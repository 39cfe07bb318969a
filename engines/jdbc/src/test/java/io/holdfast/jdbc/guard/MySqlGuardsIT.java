package io.holdfast.jdbc.guard;

import io.holdfast.jdbc.Db;
import io.holdfast.rig.servers.MySqlServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
class MySqlGuardsIT implements MySqlFamilyGuardRules {

  private static MySqlServer server;
  private static DataSource source;

  @BeforeAll
  static void start() {
    server = MySqlServer.start();
    server.createDatabase("guards");
    source = Db.mySql(server.jdbcUri("guards", server.user()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public DataSource source() {
    return source;
  }

  @Override
  public DataSource sourceFor(String user) {
    return Db.mySql(server.jdbcUri("guards", user) + "&password=secret");
  }

  @Override
  public String toString() {
    return "MySQL";
  }
}
