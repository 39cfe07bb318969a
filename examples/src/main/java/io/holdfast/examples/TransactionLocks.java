package io.holdfast.examples;

import io.holdfast.jdbc.guard.TransactionLock;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.h2.jdbcx.JdbcDataSource;

/** Eight count up at once, each in a transaction whose commit lets the next one in. */
public final class TransactionLocks {

  private TransactionLocks() {}

  // region docs
  static int countUp(Connection connection) throws SQLException, InterruptedException {
    connection.setAutoCommit(false);
    TransactionLock.on(connection).acquire("counter", Duration.ofSeconds(10)); // before any read
    try (Statement statement = connection.createStatement()) {
      ResultSet rows = statement.executeQuery("SELECT n FROM counter");
      rows.next();
      int next = rows.getInt(1) + 1;
      statement.executeUpdate("UPDATE counter SET n = " + next);
      connection.commit(); // from here on somebody else may have the lock
      return next;
    }
  }

  // endregion

  public static void main(String[] args) throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:transaction-locks;DB_CLOSE_DELAY=-1");
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      TransactionLock.on(connection).createTable();
      statement.execute("CREATE TABLE counter AS SELECT 0 AS n");
    }
    Callable<Integer> counting =
        () -> {
          try (Connection connection = database.getConnection()) {
            return countUp(connection);
          }
        };
    ExecutorService threads = Executors.newFixedThreadPool(8);
    int highest = 0;
    for (Future<Integer> each : threads.invokeAll(Collections.nCopies(8, counting))) {
      highest = Math.max(highest, each.get());
    }
    threads.shutdown();
    System.out.println("counted by 8: " + highest);
  }
}
