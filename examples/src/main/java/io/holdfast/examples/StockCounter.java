package io.holdfast.examples;

import io.holdfast.jdbc.guard.Versioned;
import io.holdfast.jdbc.guard.VersionedRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** Sixteen want one of ten, with no lock: a version column keeps the count right. */
public final class StockCounter {

  private StockCounter() {}

  // region docs
  static boolean buyOne(DataSource database) throws SQLException {
    Versioned products =
        Versioned.table("product", "id", "version").columns("stock", "buyers").attempts(100);
    long[] before = {0};
    products.update(database, 7, row -> sell(row, before));
    return before[0] > 0;
  }

  // Called again whenever somebody else was quicker, with what is there then.
  static VersionedRow sell(VersionedRow row, long[] before) {
    before[0] = row.getLong("stock");
    return before[0] == 0
        ? row // the same row: nothing is written
        : row.with("stock", before[0] - 1).with("buyers", row.getLong("buyers") + 1);
  }

  // endregion

  public static void main(String[] args) throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:stock-counter;DB_CLOSE_DELAY=-1");
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE product AS SELECT 7 AS id, 10 AS stock, 0 AS buyers, 0 AS version");
    }
    ExecutorService threads = Executors.newFixedThreadPool(8);
    Callable<Boolean> buyer = () -> buyOne(database);
    int sold = 0;
    for (Future<Boolean> each : threads.invokeAll(Collections.nCopies(16, buyer))) {
      sold += each.get() ? 1 : 0;
    }
    threads.shutdown();
    System.out.println("sold: " + sold + " of 10, to 16 who wanted one");
  }
}
