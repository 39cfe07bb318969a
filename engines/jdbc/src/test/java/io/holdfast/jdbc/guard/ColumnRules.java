package io.holdfast.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.Db;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.NoSuchElementException;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The guard in columns of the data's own table, on one database. */
interface ColumnRules {

  ColumnFenceGuard ORDERS = ColumnFenceGuard.of("orders", "id");

  DataSource source();

  @BeforeEach
  default void freshOrders() throws SQLException {
    Db.run(
        source(),
        "DROP TABLE IF EXISTS orders",
        "CREATE TABLE orders (id INT PRIMARY KEY, total INT, fence BIGINT, fence_holder VARCHAR(255))",
        "INSERT INTO orders (id, total) VALUES (42, 0)",
        "INSERT INTO orders (id, total) VALUES (43, 0)");
  }

  private long total() throws SQLException {
    return Db.number(source(), "SELECT total FROM orders WHERE id = 42");
  }

  @Test
  default void u06_a_row_refuses_those_before_its_last_claim() throws SQLException {
    try (Connection connection = source().getConnection()) {
      ORDERS.claim(connection, 42, 1024, "a");
      ORDERS.claim(connection, 42, 1024, "a");
      ORDERS.update(connection, 42, 1024, "a", Map.of("total", 7));
      ORDERS.update(connection, 42, 1024, "a", Map.of("total", 7));
      ORDERS.claim(connection, 42, 1025, "b");
      assertThatThrownBy(() -> ORDERS.update(connection, 42, 1024, "a", Map.of("total", 8)))
          .isInstanceOf(StaleTokenException.class)
          .hasMessageContaining("orders with id = 42")
          .hasMessageContaining("1025");
      assertThatThrownBy(() -> ORDERS.update(connection, 42, 1025, "c", Map.of("total", 9)))
          .isInstanceOf(StaleTokenException.class);
      assertThat(total()).isEqualTo(7);
      ORDERS.update(connection, 43, 1, "z", Map.of("total", 1));
    }
  }

  @Test
  default void a_row_that_is_not_there_is_not_stale() throws SQLException {
    try (Connection connection = source().getConnection()) {
      assertThatThrownBy(() -> ORDERS.claim(connection, 44, 1, "a"))
          .isInstanceOf(NoSuchElementException.class)
          .hasMessageContaining("id = 44");
    }
  }

  @Test
  default void a_statement_of_ones_own_is_guarded_too() throws Exception {
    try (Holdfast holdfast = Holdfast.connect("memory:");
        Connection connection = source().getConnection()) {
      Hold first = holdfast.lock("orders/42").acquire();
      assertThat(add(connection, first, 5)).isTrue();
      assertThat(add(connection, first, 5)).isTrue();
      assertThat(add(connection, first, 100)).isFalse(); // beyond what the statement allows
      assertThat(total()).isEqualTo(10);
      first.close();
      Hold second = holdfast.lock("orders/42").acquire();
      ORDERS.claim(connection, 42, second);
      assertThatThrownBy(() -> add(connection, first, 5)).isInstanceOf(StaleTokenException.class);
      assertThat(total()).isEqualTo(10);
      second.close();
    }
  }

  private static boolean add(Connection connection, Hold hold, int more) throws SQLException {
    String sql =
        "UPDATE orders SET total = total + ?, %s WHERE id = ? AND total + ? < 50 AND %s"
            .formatted(ORDERS.assignments(), ORDERS.condition());
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, more);
      int next = ORDERS.bindAssignments(statement, 2, hold);
      statement.setInt(next, 42);
      statement.setInt(next + 1, more);
      ORDERS.bindCondition(statement, next + 2, hold);
      return ORDERS.passed(connection, 42, hold, statement.executeUpdate());
    }
  }

  @Test
  default void names_that_are_not_plain_are_refused() throws SQLException {
    assertThatIllegalArgumentException().isThrownBy(() -> ColumnFenceGuard.of("a b", "id"));
    assertThatIllegalArgumentException().isThrownBy(() -> ColumnFenceGuard.of("a", "id = 1 OR id"));
    assertThatIllegalArgumentException().isThrownBy(() -> ORDERS.withColumns("fence--", "h"));
    assertThatIllegalArgumentException().isThrownBy(() -> ORDERS.withColumns("fence", "\"h\""));
    try (Connection connection = source().getConnection()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ORDERS.update(connection, 42, 1, "a", Map.of("total = 1, x", 1)));
    }
  }
}
