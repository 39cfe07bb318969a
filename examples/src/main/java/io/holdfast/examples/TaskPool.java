package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.guard.SqlFenceGuard;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/**
 * Several machines work off a table of tasks, and no two of them pick the same one. A task whose
 * machine died or stood still for longer than its lease is picked again, and is finished once. What
 * it did elsewhere before that may have been done twice: guard that as well, or let it do no harm.
 */
public final class TaskPool {

  private TaskPool() {}

  // region docs
  /** Does one task that nobody else is at; empty if there is none. */
  static Optional<Integer> next(Holdfast holdfast, DataSource database, IntConsumer work)
      throws SQLException, InterruptedException {
    SqlFenceGuard guard = SqlFenceGuard.over(database);
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (int task : open(statement, "")) {
        Optional<Hold> picked = holdfast.lock("tasks/{}", task).tryAcquire();
        if (picked.isEmpty()) {
          continue; // another machine is at it
        }
        try (Hold hold = picked.get()) {
          guard.claim(hold); // from here on, a machine that had it before cannot finish it
          if (open(statement, " AND id = " + task).isEmpty()) {
            continue; // the list was older than the lock
          }
          work.accept(task);
          finish(connection, guard, hold, task);
          return Optional.of(task);
        }
      }
      return Optional.empty();
    }
  }

  private static void finish(Connection connection, SqlFenceGuard guard, Hold hold, int task)
      throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      guard.claim(connection, hold); // a machine that stood still for too long is refused here
      statement.executeUpdate("UPDATE task SET done = done + 1 WHERE id = " + task);
      connection.commit();
    } catch (SQLException | StaleTokenException e) {
      connection.rollback();
      throw e;
    }
  }

  // endregion

  private static List<Integer> open(Statement statement, String which) throws SQLException {
    List<Integer> tasks = new ArrayList<>();
    ResultSet rows = statement.executeQuery("SELECT id FROM task WHERE done = 0" + which);
    while (rows.next()) {
      tasks.add(rows.getInt(1));
    }
    Collections.shuffle(tasks); // or all machines would try the same one first
    return tasks;
  }

  public static void main(String[] args) throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:task-pool;DB_CLOSE_DELAY=-1");
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      SqlFenceGuard.over(database).createTable();
      statement.execute("CREATE TABLE task AS SELECT x AS id, 0 AS done FROM SYSTEM_RANGE(1, 20)");
    }
    ExecutorService machines = Executors.newFixedThreadPool(3);
    Callable<Integer> machine =
        () -> {
          int done = 0;
          try (Holdfast holdfast = Holdfast.connect("memory:task-pool")) {
            for (; next(holdfast, database, task -> {}).isPresent(); done++) {}
          }
          return done;
        };
    int done = 0;
    for (Future<Integer> each : machines.invokeAll(Collections.nCopies(3, machine))) {
      done += each.get();
    }
    machines.shutdown();
    System.out.println("done by three machines: " + done + " of 20");
  }
}
