package io.holdfast.jdbc.guard;

import io.holdfast.jdbc.Db;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;

class SqliteWalGuardsTest implements GuardRules, ColumnRules, LateHolderRules, VersionedRules {

  @TempDir private static Path folder;
  private static DataSource source;

  @BeforeAll
  static void open() {
    source = Db.sqlite(folder.resolve("guards.db").toString(), SQLiteConfig.JournalMode.WAL);
  }

  @Override
  public DataSource source() {
    return source;
  }

  @Override
  public List<Integer> isolations() {
    return List.of(Connection.TRANSACTION_SERIALIZABLE);
  }

  @Override
  public boolean writersMeet() {
    return false;
  }

  @Override
  public String toString() {
    return "SQLite, WAL";
  }
}
