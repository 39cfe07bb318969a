package io.holdfast.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.Db;
import io.holdfast.jdbc.guard.LateHolders.End;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;

/** SQLite as it is by default: nobody can commit while another transaction has read. */
class SqliteJournalGuardsTest implements GuardRules, ColumnRules {

  @TempDir private static Path folder;
  private static DataSource source;

  @BeforeAll
  static void open() {
    source = Db.sqlite(folder.resolve("guards.db").toString(), SQLiteConfig.JournalMode.DELETE);
  }

  @Override
  public DataSource source() {
    return source;
  }

  private static LateHolders stories() throws SQLException {
    LateHolders.createTables(source);
    SqlFenceGuard guard = SqlFenceGuard.over(source);
    return new LateHolders(
        source,
        Connection.TRANSACTION_SERIALIZABLE,
        (connection, token, holdId) -> guard.claim(connection, "account/1", token, holdId));
  }

  @Test
  void u06_a_late_holder_never_commits() throws Exception {
    LateHolders stories = stories();
    stories.pausedHolder();
    assertThat(stories.waitsBehind(4096, 3072)).isEqualTo(End.STALE);
    assertThat(stories.waitsBehind(5120, 6144)).isEqualTo(End.COMMITTED);
    stories().oneTokenManyHolders(0);
    stories().sharerIsOvertaken(SqlFenceGuard.over(source));
  }

  @Test
  void eight_threads_sell_the_stock_and_not_one_more() throws Exception {
    Sale.createTable(source, 80);
    new Sale(source).byEightThreads(80, "SQLite, DELETE");
  }
}
