package io.holdfast.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.Db;
import io.holdfast.jdbc.connection.JdbcUri;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two holds of one name in two namespaces, and one guard; the guard of an engine's address. */
@Timeout(120)
class GuardNamespacesIT {

  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final String OURS =
      "holdfast.namespace=late&holdfast.lease=10s&holdfast.mode=table&holdfast.lanes=1";

  private static final String OURS_ALONE = "holdfast.mode=table";

  @TempDir Path folder;

  @Test
  @DisplayName("PostgreSQL")
  void postgres() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      both(server.jdbcUri(PostgresServer.DATABASE, server.user()) + "&");
    }
  }

  @Test
  @DisplayName("MariaDB, and a driver that repeats transactions is refused")
  void mariaDb() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      String uri = server.jdbcUri(MariaDbServer.DATABASE, server.user()) + "&";
      both(uri);
      SqlFenceGuard guard = SqlFenceGuard.connect(uri + "transactionReplay=true&" + OURS);
      assertThatThrownBy(() -> guard.claim("x", 1, "a"))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("transactionReplay");
    }
  }

  @Test
  @DisplayName("H2")
  void h2() throws Exception {
    both("jdbc:h2:mem:guard-namespaces;DB_CLOSE_DELAY=-1?");
  }

  @Test
  @DisplayName("SQLite")
  void sqlite() throws Exception {
    both("jdbc:sqlite:" + folder.resolve("guards.db") + "?");
  }

  private static void both(String uri) throws Exception {
    SqlFenceGuard guard = SqlFenceGuard.connect(uri + OURS);
    guard.createTable();
    try (Holdfast early = Holdfast.connect(uri + "holdfast.namespace=early");
        Holdfast late = Holdfast.connect(uri + OURS)) {
      Hold first = early.lock("x").acquire(WAIT);
      Hold second = late.lock("x").acquire(WAIT);
      assertThat(second.token()).isNotEqualTo(first.token());
      guard.claim(second);
      guard.claim(first);
      guard.claim(second);
      inTransaction(uri, guard, first, second);
      guard.claim("x", second.token(), second.id());
      assertThatThrownBy(() -> guard.claim("x", 1, "a")).isInstanceOf(StaleTokenException.class);
      guard.inNamespace("third").claim("x", 1, "a");
      SqlFenceGuard other = SqlFenceGuard.connect(uri + "holdfast.table=other_");
      assertThatThrownBy(() -> other.claim("x", 1, "a"))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("other_fence");
      columns(first, second);
    }
  }

  private static void inTransaction(String uri, SqlFenceGuard guard, Hold first, Hold second)
      throws Exception {
    try (Connection connection =
        DriverManager.getConnection(JdbcUri.parse(uri + OURS_ALONE).url())) {
      connection.setAutoCommit(false);
      guard.claim(connection, first);
      guard.claim(connection, second);
      guard.admit(connection, first);
      connection.rollback();
    }
  }

  private static void columns(Hold first, Hold second) throws Exception {
    ColumnFenceGuard orders = ColumnFenceGuard.of("orders", "id").inNamespace("early");
    Db.run(
        Db.h2("columns"),
        "DROP TABLE IF EXISTS orders",
        "CREATE TABLE orders (id INT PRIMARY KEY, fence BIGINT, fence_holder VARCHAR(255))",
        "INSERT INTO orders (id) VALUES (1)");
    try (Connection connection = Db.h2("columns").getConnection()) {
      orders.claim(connection, 1, first);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> orders.update(connection, 1, second, Map.of()))
          .withMessageContaining("early")
          .withMessageContaining("late:x");
    }
  }
}
