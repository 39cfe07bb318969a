package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.guard.SqlFenceGuard;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("in a pool of tasks")
class TaskPoolTest {

  private final JdbcDataSource database = new JdbcDataSource();
  private final String store = "memory:" + UUID.randomUUID();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** A pool of open tasks, numbered from 1. */
  private void create(int tasks) throws SQLException {
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
    SqlFenceGuard.over(database).createTable();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE task AS SELECT x AS id, 0 AS done FROM SYSTEM_RANGE(1, " + tasks + ")");
    }
  }

  private int count(String condition) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM task WHERE " + condition)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  @DisplayName("no two of four machines pick the same one, and all are done")
  void eachOnce() throws Exception {
    create(60);
    Queue<Integer> worked = new ConcurrentLinkedQueue<>();
    Callable<Integer> machine =
        () -> {
          int done = 0;
          try (Holdfast holdfast = Holdfast.connect(store)) {
            while (TaskPool.next(holdfast, database, worked::add).isPresent()) {
              done++;
            }
          }
          return done;
        };
    int done = 0;
    for (Future<Integer> each : threads.invokeAll(List.of(machine, machine, machine, machine))) {
      done += each.get();
    }
    assertThat(done).isEqualTo(60);
    assertThat(worked).hasSize(60).doesNotHaveDuplicates();
    assertThat(count("done = 1")).isEqualTo(60);
  }

  @Test
  @DisplayName("one is passed over while another machine is at it, and all machines work at once")
  void passedOver() throws Exception {
    create(4);
    // Nobody gets through unless four are at work, each at a task of its own.
    CyclicBarrier together = new CyclicBarrier(4);
    Queue<Integer> worked = new ConcurrentLinkedQueue<>();
    Callable<Optional<Integer>> machine =
        () -> {
          try (Holdfast holdfast = Holdfast.connect(store)) {
            return TaskPool.next(
                holdfast,
                database,
                task -> {
                  worked.add(task);
                  await(together);
                });
          }
        };
    List<Future<Optional<Integer>>> machines =
        threads.invokeAll(List.of(machine, machine, machine, machine));
    List<Integer> done = new ArrayList<>();
    for (Future<Optional<Integer>> each : machines) {
      done.add(each.get().orElseThrow());
    }
    assertThat(done).containsExactlyInAnyOrder(1, 2, 3, 4);
    assertThat(worked).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName(
      "a machine that stood still for longer than its lease cannot finish what another did")
  void stoodStill() throws Exception {
    create(1);
    try (Holdfast slow = Holdfast.connect(store + "?holdfast.fixedLease=2s");
        Holdfast quick = Holdfast.connect(store)) {
      IntConsumer overtaken =
          task -> {
            // The lease ends, and another machine takes over and finishes.
            try {
              quick.lock("tasks/{}", task).acquire(Duration.ofSeconds(20)).close();
              assertThat(TaskPool.next(quick, database, t -> {})).contains(task);
            } catch (SQLException | InterruptedException e) {
              throw new IllegalStateException(e);
            }
          };
      assertThatThrownBy(() -> TaskPool.next(slow, database, overtaken))
          .isInstanceOf(StaleTokenException.class);
    }
    assertThat(count("done = 1")).isEqualTo(1);
  }

  /** That the test above can fail: what a pool without locks does. */
  @Test
  @DisplayName("two machines that only look pick the same task")
  void planted() throws Exception {
    create(1);
    CyclicBarrier looked = new CyclicBarrier(2);
    Queue<Integer> worked = new ConcurrentLinkedQueue<>();
    Callable<Boolean> machine =
        () -> {
          int open = count("done = 0");
          await(looked);
          return open == 1 && worked.add(1);
        };
    for (Future<Boolean> each : threads.invokeAll(List.of(machine, machine))) {
      assertThat(each.get()).isTrue();
    }
    assertThat(worked).containsExactly(1, 1);
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
