package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.guard.SqlFenceGuard;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.jdbcx.JdbcDataSource;

/** A holder that was overtaken writes to a database, and is refused by that. */
public final class PausedHolder {

  private PausedHolder() {}

  // region docs
  static void setBalance(Connection connection, SqlFenceGuard guard, Hold hold, int balance)
      throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      guard.claim(connection, hold); // the first statement, before anything is read
      statement.executeUpdate("UPDATE account SET balance = " + balance + " WHERE id = 1");
      connection.commit();
    } catch (SQLException | StaleTokenException e) {
      connection.rollback();
      throw e;
    }
  }

  // endregion

  public static void main(String[] args) throws SQLException, InterruptedException {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:paused-holder;DB_CLOSE_DELAY=-1");
    try (Holdfast holdfast = Holdfast.connect("memory:");
        Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE account AS SELECT 1 AS id, 0 AS balance");
      SqlFenceGuard guard = SqlFenceGuard.over(database);
      guard.createTable();

      Hold paused = holdfast.lock("account/1").acquire();
      setBalance(connection, guard, paused, 100);
      paused.release(); // stands for a pause in which the lease ends
      Hold next = holdfast.lock("account/1").acquire();
      setBalance(connection, guard, next, 200);
      try {
        setBalance(connection, guard, paused, 300);
      } catch (StaleTokenException e) {
        System.out.println("the paused holder is refused");
      }
      next.close();
    }
  }
}
