package io.holdfast.examples;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.SqlFenceGuard;
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
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/**
 * Several machines work off a table of tasks, and no two of them pick the same one. A task whose
 * machine died or stood still for longer than its lease is picked again, and is finished once. What
 * it did to the world before that was done twice: let that be guarded as well, or do no harm.
 */
public final class TaskPool {

  private TaskPool() {}

  /** What a task is: it runs while its lock is held, and before it is marked as done. */
  interface Work {
    void run(int task) throws InterruptedException;
  }

  // region docs
  /** Does one task that nobody else is at; empty if there is none. */
  static Optional<Integer> next(
      Holdfast holdfast, DataSource database, SqlFenceGuard guard, String machine, Work work)
      throws SQLException, InterruptedException {
    for (int task : open(database)) {
      Optional<Hold> picked = holdfast.lock("tasks/{}", task).tryAcquire();
      if (picked.isEmpty()) {
        continue; // another machine is at it
      }
      try (Hold hold = picked.get()) {
        guard.claim(hold); // from here on, whoever had it before cannot finish it
        if (isOpen(database, task)) { // the list may be older than the lock
          work.run(task);
          finish(database, guard, hold, task, machine);
          return Optional.of(task);
        }
      }
    }
    return Optional.empty();
  }

  private static void finish(
      DataSource database, SqlFenceGuard guard, Hold hold, int task, String machine)
      throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      try {
        guard.claim(connection, hold); // a machine that stood still for too long is refused here
        statement.executeUpdate(
            "UPDATE task SET done_by = '" + machine + "', times = times + 1 WHERE id = " + task);
        connection.commit();
      } catch (SQLException | StaleTokenException e) {
        connection.rollback();
        throw e;
      }
    }
  }

  // endregion

  /** In any order: machines that begin at the same end would try the same ones first. */
  private static List<Integer> open(DataSource database) throws SQLException {
    List<Integer> tasks = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM task WHERE done_by IS NULL")) {
      while (rows.next()) {
        tasks.add(rows.getInt(1));
      }
    }
    Collections.shuffle(tasks);
    return tasks;
  }

  private static boolean isOpen(DataSource database, int task) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT 1 FROM task WHERE done_by IS NULL AND id = " + task)) {
      return rows.next();
    }
  }

  /** A pool of open tasks, numbered from 1. */
  static void create(DataSource database, int tasks) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE task (id INT PRIMARY KEY, done_by VARCHAR(20), times INT NOT NULL)");
      for (int i = 1; i <= tasks; i++) {
        statement.executeUpdate("INSERT INTO task VALUES (" + i + ", NULL, 0)");
      }
    }
    SqlFenceGuard.over(database).createTable();
  }

  public static void main(String[] args) throws Exception {
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:task-pool;DB_CLOSE_DELAY=-1");
    create(database, 20);
    ExecutorService machines = Executors.newFixedThreadPool(3);
    List<Callable<Integer>> jobs = new ArrayList<>();
    for (String machine : List.of("north", "east", "south")) {
      jobs.add(() -> workOff(database, machine));
    }
    int done = 0;
    for (Future<Integer> each : machines.invokeAll(jobs)) {
      done += each.get();
    }
    machines.shutdown();
    System.out.println("done by three machines: " + done + " of 20 tasks");
    System.out.println("done twice: " + count(database, "times > 1"));
  }

  /** Does tasks until there are none; answers how many it did. */
  private static int workOff(DataSource database, String machine) throws Exception {
    SqlFenceGuard guard = SqlFenceGuard.over(database);
    int done = 0;
    try (Holdfast holdfast = Holdfast.connect("memory:task-pool")) {
      while (next(holdfast, database, guard, machine, task -> {}).isPresent()) {
        done++;
      }
    }
    return done;
  }

  static int count(DataSource database, String condition) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM task WHERE " + condition)) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
