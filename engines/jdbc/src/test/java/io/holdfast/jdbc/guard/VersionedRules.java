package io.holdfast.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.jdbc.Db;
import io.holdfast.spi.support.RetryDelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Optimistic updates on one database. */
interface VersionedRules {

  int STOCK = 80;

  Versioned PRODUCTS = Versioned.table("product", "id", "version").columns("stock", "name");

  UnaryOperator<VersionedRow> TAKE_ONE =
      row -> row.getLong("stock") == 0 ? row : row.with("stock", row.getLong("stock") - 1);

  DataSource source();

  @BeforeEach
  default void freshProducts() throws SQLException {
    Sale.createTable(source(), STOCK);
  }

  private long product(String column) throws SQLException {
    return Db.number(source(), "SELECT " + column + " FROM product WHERE id = 7");
  }

  @Test
  default void a_row_is_read_changed_and_written_with_the_next_version() throws SQLException {
    VersionedRow after =
        PRODUCTS.update(source(), 7, row -> row.with("stock", 5).with("name", "x"));
    assertThat(after.version()).isEqualTo(1);
    assertThat(after.getLong("stock")).isEqualTo(5);
    assertThat(product("stock")).isEqualTo(5);
    assertThat(product("version")).isEqualTo(1);
    assertThat(PRODUCTS.update(source(), 7, row -> row).version()).isEqualTo(1);
    assertThat(product("version")).isEqualTo(1);
  }

  @Test
  default void eight_threads_sell_the_stock_and_not_one_more() throws Exception {
    new Sale(source()).byEightThreads(STOCK, toString());
  }

  /** Somebody else who is always quicker. */
  private VersionedRow overtaken(VersionedRow row) {
    try {
      Db.run(source(), "UPDATE product SET version = version + 1 WHERE id = 7");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return TAKE_ONE.apply(row);
  }

  @Test
  default void it_gives_up_after_so_many_attempts_and_says_what_it_saw() throws SQLException {
    List<Long> pauses = new ArrayList<>();
    Duration first = Duration.ofNanos(100);
    Versioned products =
        PRODUCTS
            .attempts(5)
            .pauses(
                new RetryPauses(
                    new RetryDelay(first, first.multipliedBy(5), () -> 0.5), pauses::add));
    assertThatExceptionOfType(StaleVersionException.class)
        .isThrownBy(() -> products.update(source(), 7, this::overtaken))
        .satisfies(
            stale -> {
              assertThat(stale.table()).isEqualTo("product");
              assertThat(stale.key()).isEqualTo("7");
              assertThat(stale.attempts()).isEqualTo(5);
              assertThat(stale.current()).hasValue(5);
            })
        .withMessageContaining("product with key 7")
        .withMessageContaining("5 attempts");
    assertThat(pauses).containsExactly(75L, 150L, 300L, 375L);
    assertThat(product("stock")).isEqualTo(STOCK);
  }

  @Test
  default void an_interrupt_ends_the_attempts() {
    RetryPauses.Sleep interrupted =
        time -> {
          throw new InterruptedException();
        };
    Versioned products =
        PRODUCTS.pauses(
            new RetryPauses(new RetryDelay(Duration.ZERO, Duration.ZERO, () -> 0), interrupted));
    assertThatExceptionOfType(StaleVersionException.class)
        .isThrownBy(() -> products.update(source(), 7, this::overtaken))
        .satisfies(stale -> assertThat(stale.attempts()).isEqualTo(1));
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  default void in_a_transaction_of_the_caller_there_is_one_attempt() throws SQLException {
    try (Connection connection = source().getConnection()) {
      connection.setAutoCommit(false);
      assertThat(PRODUCTS.update(connection, 7, TAKE_ONE).version()).isEqualTo(1);
      connection.rollback();
      assertThat(product("stock")).isEqualTo(STOCK);
      assertThatThrownBy(() -> PRODUCTS.update(connection, 7, this::overtaken))
          .satisfies(VersionedRules::requireOvertaken);
      connection.rollback();
      PRODUCTS.update(connection, 7, TAKE_ONE);
      connection.commit();
    }
    assertThat(product("stock")).isEqualTo(STOCK - 1);
    assertThat(product("version")).isEqualTo(2);
  }

  /** Where the database itself notices, its error passes. */
  private static void requireOvertaken(Throwable e) {
    if (e instanceof SQLException sql) {
      assertThat(SqlErrors.isConflict(sql)).as("%s", sql).isTrue();
    } else {
      assertThat(e).isInstanceOf(StaleVersionException.class).hasMessageContaining("1 attempt;");
    }
  }

  @Test
  default void what_cannot_be_done_is_said_and_nothing_is_written() throws SQLException {
    assertThatExceptionOfType(NoSuchElementException.class)
        .isThrownBy(() -> PRODUCTS.update(source(), 8, TAKE_ONE))
        .withMessageContaining("product with id = 8");
    assertThatIllegalStateException()
        .isThrownBy(
            () -> PRODUCTS.update(source(), 7, row -> row.with("stock", row.getLong("name"))));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PRODUCTS.update(source(), 7, row -> row.with("price", 1)));
    assertThatIllegalArgumentException().isThrownBy(() -> PRODUCTS.columns("version"));
    assertThatIllegalArgumentException().isThrownBy(() -> PRODUCTS.columns("a, b"));
    assertThatIllegalArgumentException().isThrownBy(() -> PRODUCTS.attempts(0));
    assertThat(product("version")).isZero();
  }

  /** The same rows, compared by what stands in them. */
  Versioned BY_VALUE = Versioned.byValue("product", "id").columns("stock", "name");

  @Test
  default void by_value_a_row_is_written_if_it_is_as_it_was_read() throws SQLException {
    VersionedRow after =
        BY_VALUE.update(source(), 7, row -> row.with("stock", 5).with("name", "x"));
    assertThat(after.getLong("stock")).isEqualTo(5);
    assertThat(after.version()).isZero();
    assertThat(product("stock")).isEqualTo(5);
    assertThat(product("version")).isZero();
    BY_VALUE.update(source(), 7, row -> row.with("name", null));
    BY_VALUE.update(source(), 7, row -> row.with("stock", 4)); // what is null is compared, too
    BY_VALUE.update(source(), 7, row -> row.with("stock", 4)); // the same values: nothing to write
    assertThat(product("stock")).isEqualTo(4);
  }

  @Test
  default void by_value_one_that_was_overtaken_reads_again_and_gives_up_in_the_end()
      throws SQLException {
    int[] calls = {0};
    VersionedRow after =
        BY_VALUE.update(
            source(),
            7,
            row -> {
              if (calls[0]++ == 0) {
                sellOne();
              }
              return TAKE_ONE.apply(row);
            });
    assertThat(calls[0]).isEqualTo(2);
    assertThat(after.getLong("stock")).isEqualTo(STOCK - 2);
    assertThatExceptionOfType(StaleVersionException.class)
        .isThrownBy(
            () ->
                BY_VALUE
                    .attempts(2)
                    .update(
                        source(),
                        7,
                        row -> {
                          sellOne();
                          return TAKE_ONE.apply(row);
                        }))
        .satisfies(stale -> assertThat(stale.expected()).isEmpty())
        .withMessageContaining("its values differ from what was read")
        .withMessageContaining("2 attempts");
    assertThat(product("stock")).isEqualTo(STOCK - 4);
    assertThatIllegalStateException()
        .isThrownBy(
            () -> Versioned.byValue("product", "id").update(source(), 7, VersionedRow::next))
        .withMessageContaining("columns");
  }

  private void sellOne() {
    try {
      Db.run(source(), "UPDATE product SET stock = stock - 1 WHERE id = 7");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  default void by_value_eight_threads_sell_the_stock_and_not_one_more() throws Exception {
    Sale.byValue(source()).byEightThreads(STOCK, this + " by value");
  }
}
