package io.holdfast.jdbc;

import io.holdfast.rig.MariaDbServer;
import java.sql.Connection;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class MariaDbGuardsIT implements GuardRules, ColumnRules, LateHolderRules, VersionedRules {

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
  public boolean readersBlock(int isolation) {
    return isolation == Connection.TRANSACTION_SERIALIZABLE;
  }

  @Override
  public String toString() {
    return "MariaDB";
  }
}
