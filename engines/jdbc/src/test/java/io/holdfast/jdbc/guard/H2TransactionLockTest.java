package io.holdfast.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockRefusedException;
import io.holdfast.jdbc.Db;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;

/** H2, and what databases in this process say when something is missing. */
@Timeout(120)
class H2TransactionLockTest implements TransactionLockRules {

  private static final String NAME = "transactions-" + UUID.randomUUID();
  private static final DataSource SOURCE = Db.h2(NAME);

  @Override
  public DataSource source() {
    return SOURCE;
  }

  @Override
  public String uri() {
    return "jdbc:h2:mem:" + NAME + ";DB_CLOSE_DELAY=-1?";
  }

  @Override
  public List<String> modes() {
    return List.of("table", "row");
  }

  @Override
  public String toString() {
    return "H2";
  }

  @Test
  void a_table_or_rows_that_are_missing_are_said_with_what_creates_them() throws SQLException {
    try (Connection connection = Db.begin(SOURCE, Connection.TRANSACTION_READ_COMMITTED)) {
      TransactionLock elsewhere = TransactionLock.on(connection).withTable("other_slot");
      assertThatThrownBy(() -> elsewhere.tryAcquire("a"))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("CREATE TABLE IF NOT EXISTS other_slot");
      Db.run(SOURCE, "CREATE TABLE other_slot (slot INTEGER NOT NULL PRIMARY KEY)");
      assertThatThrownBy(() -> elsewhere.tryAcquire("a"))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("65536 rows");
      connection.rollback();
    }
    try (Connection connection = SOURCE.getConnection()) {
      TransactionLock.on(connection).withTable("other_slot").createTable();
      assertThat(Db.number(connection, "SELECT COUNT(*) FROM other_slot")).isEqualTo(65_536);
      assertThat(Db.number(connection, "SELECT MAX(slot) FROM other_slot")).isEqualTo(65_535);
    }
  }

  @Test
  void a_snapshot_that_is_older_than_the_lock_is_refused() throws SQLException {
    try (Connection connection = Db.begin(SOURCE, Connection.TRANSACTION_REPEATABLE_READ)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> TransactionLock.on(connection).tryAcquire("a"))
          .withMessageContaining("READ COMMITTED");
    }
  }

  @Test
  void sqlite_says_that_a_transaction_has_it_all(@TempDir Path folder) throws SQLException {
    DataSource sqlite = Db.sqlite(folder.resolve("a.db").toString(), SQLiteConfig.JournalMode.WAL);
    try (Connection connection = sqlite.getConnection()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> TransactionLock.on(connection).tryAcquire("a"))
          .isInstanceOf(SQLFeatureNotSupportedException.class)
          .hasMessageContaining("BEGIN IMMEDIATE");
    }
  }
}
