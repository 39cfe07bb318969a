package io.holdfast.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockRefusedException;
import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.Crew;
import io.holdfast.jdbc.Db;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The guard with a table of its own, rule by rule, on one database. */
interface GuardRules {

  long HIGH = (1L << 62) + 1024;

  DataSource source();

  default SqlFenceGuard guard() {
    return SqlFenceGuard.over(source());
  }

  @BeforeEach
  default void freshTable() throws SQLException {
    Db.run(source(), "DROP TABLE IF EXISTS holdfast_fence");
    guard().createTable();
  }

  private static void assertStale(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(StaleTokenException.class);
  }

  @Test
  default void u06_a_claim_keeps_everyone_before_it_out() {
    SqlFenceGuard guard = guard();
    guard.claim("r", HIGH, "a");
    guard.claim("r", HIGH, "a");
    guard.claim("r", HIGH + 1, "b"); // a hand-over: only the last ten bits differ
    assertThatThrownBy(() -> guard.claim("r", HIGH, "a"))
        .isInstanceOfSatisfying(
            StaleTokenException.class, stale -> assertThat(stale.current()).isEqualTo(HIGH + 1));
    assertStale(() -> guard.claim("r", HIGH + 1, "c"));
    assertStale(() -> guard.claim("r", 9, "d"));
    guard.claim("other", 9, "d");
    guard.inNamespace("elsewhere").claim("r", 9, "d");
    guard.claim("r", Long.MAX_VALUE, "last");
    guard.claim("r", Long.MAX_VALUE, "last");
  }

  @Test
  default void u06_sharers_are_admitted_until_somebody_claims() {
    SqlFenceGuard guard = guard();
    guard.admit("r", HIGH + 2, "b");
    guard.admit("r", HIGH + 1, "a");
    guard.claim("r", HIGH + 2, "w");
    assertStale(() -> guard.admit("r", HIGH + 1, "a"));
    assertStale(() -> guard.admit("r", HIGH + 2, "b"));
    guard.admit("r", HIGH + 2, "w");
    guard.admit("r", HIGH + 3, "c");
    assertStale(() -> guard.claim("r", HIGH + 1, "a"));
  }

  @Test
  default void names_and_ids_are_compared_byte_by_byte() {
    SqlFenceGuard guard = guard();
    guard.claim("r", 7, "id");
    guard.claim("R", 3, "x");
    guard.claim("r ", 3, "x");
    guard.claim("ŕ", 3, "x");
    guard.claim("é".repeat(256), 3, "x");
    assertStale(() -> guard.claim("r", 7, "ID"));
    assertStale(() -> guard.claim("r", 7, "id "));
  }

  @Test
  default void nothing_of_a_transaction_that_is_rolled_back_stays() throws SQLException {
    SqlFenceGuard guard = guard();
    try (Connection connection = source().getConnection()) {
      connection.setAutoCommit(false);
      guard.claim(connection, "r", 9, "b");
      connection.rollback();
      guard.claim(connection, "r", 8, "a");
      connection.commit();
      guard.claim(connection, "r", 9, "b");
      connection.rollback();
    }
    guard.claim("r", 8, "a");
  }

  @Test
  default void a_refused_transaction_can_still_be_used_and_its_mode_is_untouched()
      throws SQLException {
    SqlFenceGuard guard = guard();
    guard.claim("r", 9, "b");
    try (Connection connection = source().getConnection()) {
      int isolation = connection.getTransactionIsolation();
      connection.setAutoCommit(false);
      assertStale(() -> guard.claim(connection, "r", 8, "a"));
      assertStale(() -> guard.admit(connection, "r", 8, "a"));
      assertThat(Db.number(connection, "SELECT COUNT(*) FROM holdfast_fence")).isEqualTo(1);
      guard.claim(connection, "new", 1, "a");
      assertThat(connection.getAutoCommit()).isFalse();
      assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
      connection.rollback();
    }
    assertThat(Db.number(source(), "SELECT COUNT(*) FROM holdfast_fence")).isEqualTo(1);
  }

  @Test
  default void a_connection_in_autocommit_mode_is_refused() throws SQLException {
    try (Connection connection = source().getConnection()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> guard().claim(connection, "orders", 1, "a"))
          .withMessageContaining("orders")
          .withMessageContaining("setAutoCommit(false)");
      assertThatIllegalStateException()
          .isThrownBy(() -> guard().admit(connection, "orders", 1, "a"));
      connection.setAutoCommit(false);
      assertThatIllegalStateException().isThrownBy(() -> guard().createTable(connection));
    }
  }

  @Test
  default void a_missing_table_is_answered_with_its_definition() throws SQLException {
    Db.run(source(), "DROP TABLE IF EXISTS elsewhere");
    SqlFenceGuard guard = guard().withTable("elsewhere");
    assertThatThrownBy(() -> guard.claim("r", 1, "a"))
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContaining("elsewhere")
        .hasMessageContaining("CREATE TABLE");
    try (Connection connection = source().getConnection()) {
      Db.run(connection, guard.definition(connection));
    }
    guard.claim("r", 1, "a");
    guard.createTable();
    assertStale(() -> guard.claim("r", 1, "b"));
    Db.run(source(), "DROP TABLE elsewhere");
  }

  @Test
  default void many_may_create_the_table_at_once() throws Exception {
    Db.run(source(), "DROP TABLE IF EXISTS holdfast_fence");
    try (Crew crew = new Crew()) {
      crew.all(
          6,
          i -> {
            guard().createTable();
            return i;
          });
    }
    guard().claim("r", 1, "a");
  }

  @Test
  default void what_no_hold_has_is_refused() {
    SqlFenceGuard guard = guard();
    assertThatIllegalArgumentException().isThrownBy(() -> guard.claim("r", 0, "a"));
    assertThatIllegalArgumentException().isThrownBy(() -> guard.claim("r", 1, ""));
    assertThatIllegalArgumentException().isThrownBy(() -> guard.claim("", 1, "a"));
    assertThatIllegalArgumentException().isThrownBy(() -> guard.withTable("f; DROP TABLE f"));
    assertThatIllegalArgumentException().isThrownBy(() -> guard.inNamespace("a:b"));
  }
}
