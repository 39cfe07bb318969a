package io.holdfast.jdbc;

import io.holdfast.rig.PostgresServer;
import java.sql.Connection;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresGuardsIT implements GuardRules, ColumnRules, LateHolderRules, VersionedRules {

  private static PostgresServer server;
  private static DataSource source;

  @BeforeAll
  static void start() {
    server = PostgresServer.start();
    source = Db.postgres(server.jdbcUri(PostgresServer.DATABASE, server.user()));
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
  public boolean isConflict(int isolation) {
    return isolation != Connection.TRANSACTION_READ_COMMITTED;
  }

  @Override
  public String toString() {
    return "PostgreSQL";
  }
}
