package io.holdfast.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockRefusedException;
import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.Db;
import io.holdfast.rig.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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

  @Test
  void u45_rights_to_read_insert_and_update_the_table_are_enough() throws SQLException {
    server.createUser("guarded", "secret");
    SqlFenceGuard guard =
        SqlFenceGuard.over(
            Db.postgres(server.jdbcUri(PostgresServer.DATABASE, "guarded") + "&password=secret"));
    Db.run(source, "GRANT SELECT, INSERT ON holdfast_fence TO guarded");
    assertThatThrownBy(() -> guard.claim("r", 1, "a"))
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContaining("permission denied");
    Db.run(source, "GRANT UPDATE ON holdfast_fence TO guarded");
    guard.admit("r", 1, "a");
    guard.claim("r", 1, "a");
    guard.claim("r", 2, "b");
    assertThatThrownBy(() -> guard.claim("r", 1, "a")).isInstanceOf(StaleTokenException.class);
  }

  @Override
  public String toString() {
    return "PostgreSQL";
  }
}
