package io.holdfast.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.jdbc.Db;
import io.holdfast.rig.servers.PgBouncer;
import io.holdfast.rig.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PostgresTransactionLockIT implements TransactionLockRules {

  private static PostgresServer server;

  @BeforeAll
  static void start() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  public DataSource source() {
    return Db.postgres(server.jdbcUri(PostgresServer.DATABASE, server.user()));
  }

  @Override
  public String uri() {
    return server.jdbcUri(PostgresServer.DATABASE, server.user()) + "&";
  }

  @Override
  public List<String> modes() {
    return List.of("table", "session", "row");
  }

  @Override
  public String toString() {
    return "PostgreSQL";
  }

  @Test
  void a_snapshot_that_is_older_than_the_lock_is_refused() throws SQLException {
    for (int isolation :
        List.of(Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE)) {
      try (Connection connection = Db.begin(source(), isolation)) {
        assertThatIllegalStateException()
            .isThrownBy(() -> TransactionLock.on(connection).tryAcquire("a"))
            .withMessageContaining("READ COMMITTED");
        assertThat(Db.number(connection, "SELECT count(*) FROM pg_locks WHERE locktype='advisory'"))
            .isEqualTo(0);
      }
    }
  }

  @Test
  void a_pooler_in_transaction_mode_does_no_harm() throws Exception {
    try (PgBouncer pooler = PgBouncer.start(server, PgBouncer.PoolMode.TRANSACTION)) {
      DataSource pooled =
          Db.postgres(
              pooler.jdbcUri(PostgresServer.DATABASE, pooler.user()) + "&prepareThreshold=0");
      try (Connection mine = pooled.getConnection();
          Connection theirs = pooled.getConnection()) {
        mine.setAutoCommit(false);
        theirs.setAutoCommit(false);
        for (int i = 0; i < 3; i++) {
          assertThat(TransactionLock.on(mine).tryAcquire("a")).isTrue();
          assertThat(TransactionLock.on(theirs).tryAcquire("a")).isFalse();
          mine.commit();
          assertThat(TransactionLock.on(theirs).tryAcquire("a")).isTrue();
          theirs.commit();
        }
      }
    }
  }
}
