package io.holdfast.jdbc.guard;

import io.holdfast.jdbc.Db;
import io.holdfast.rig.servers.MariaDbServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class MariaDbGuardsIT implements MySqlFamilyGuardRules {

  private static MariaDbServer server;
  private static DataSource source;

  @BeforeAll
  static void start() {
    server = MariaDbServer.start();
    server.createDatabase("guards");
    source = Db.mariaDb(server.jdbcUri("guards", server.user()));
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
    return Db.mariaDb(server.jdbcUri("guards", user) + "&password=secret");
  }

  @Override
  public String toString() {
    return "MariaDB";
  }
}
