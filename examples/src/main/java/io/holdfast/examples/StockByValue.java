package io.holdfast.examples;

import io.holdfast.jdbc.guard.Versioned;
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

/** Sixteen want one of ten, with no lock and no version: the stock itself is compared. */
public final class StockByValue {

  private StockByValue() {}

  // region docs
  static boolean takeOne(DataSource database) throws SQLException {
    Versioned products = Versioned.byValue("product", "id").columns("stock").attempts(100);
    long[] before = {0};
    products.update(
        database,
        7,
        row -> {
          before[0] = row.getLong("stock");
          return before[0] == 0 ? row : row.with("stock", before[0] - 1);
        });
    return before[0] > 0;
  }

  // endregion

  public static void main(String[] args) throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:stock-by-value;DB_CLOSE_DELAY=-1");
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE product AS SELECT 7 AS id, 10 AS stock");
    }
    ExecutorService threads = Executors.newFixedThreadPool(8);
    Callable<Boolean> buyer = () -> takeOne(database);
    int sold = 0;
    for (Future<Boolean> each : threads.invokeAll(Collections.nCopies(16, buyer))) {
      sold += each.get() ? 1 : 0;
    }
    threads.shutdown();
    System.out.println("sold by value: " + sold + " of 10, to 16 who wanted one");
  }
}
