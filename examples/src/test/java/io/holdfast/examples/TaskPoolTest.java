package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.SqlFenceGuard;
import java.sql.SQLException;
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
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("in a pool of tasks")
class TaskPoolTest {

  private final JdbcDataSource database = new JdbcDataSource();
  private final String store = "memory:" + UUID.randomUUID();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private SqlFenceGuard guard;

  @BeforeEach
  void create() {
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
    guard = SqlFenceGuard.over(database);
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  @DisplayName("no two of four machines pick the same one, and all are done")
  void eachOnce() throws Exception {
    TaskPool.create(database, 60);
    Queue<Integer> worked = new ConcurrentLinkedQueue<>();
    Callable<Integer> machine =
        () -> {
          int done = 0;
          try (Holdfast holdfast = Holdfast.connect(store)) {
            while (TaskPool.next(holdfast, database, guard, "m", worked::add).isPresent()) {
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
    assertThat(TaskPool.count(database, "times = 1")).isEqualTo(60);
  }

  @Test
  @DisplayName("one is passed over while another machine is at it, and all machines work at once")
  void passedOver() throws Exception {
    TaskPool.create(database, 4);
    // Nobody gets through unless four are at work, each at a task of its own.
    CyclicBarrier together = new CyclicBarrier(4);
    Queue<Integer> worked = new ConcurrentLinkedQueue<>();
    Callable<Optional<Integer>> machine =
        () -> {
          try (Holdfast holdfast = Holdfast.connect(store)) {
            return TaskPool.next(
                holdfast,
                database,
                guard,
                "m",
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
    TaskPool.create(database, 1);
    try (Holdfast slow = Holdfast.connect(store + "?holdfast.fixedLease=2s");
        Holdfast quick = Holdfast.connect(store)) {
      TaskPool.Work overtaken =
          task -> {
            // The lease ends, and another machine takes over and finishes.
            Optional<Hold> free = quick.lock("tasks/{}", task).tryAcquire(Duration.ofSeconds(20));
            free.orElseThrow().close();
            try {
              assertThat(TaskPool.next(quick, database, guard, "quick", t -> {})).contains(task);
            } catch (SQLException e) {
              throw new IllegalStateException(e);
            }
          };
      assertThatThrownBy(() -> TaskPool.next(slow, database, guard, "slow", overtaken))
          .isInstanceOf(StaleTokenException.class);
    }
    assertThat(TaskPool.count(database, "done_by = 'quick' AND times = 1")).isEqualTo(1);
  }

  /** That the test above can fail: what a pool without locks does. */
  @Test
  @DisplayName("two machines that only look pick the same task")
  void planted() throws Exception {
    TaskPool.create(database, 1);
    CyclicBarrier looked = new CyclicBarrier(2);
    Queue<Integer> worked = new ConcurrentLinkedQueue<>();
    Callable<Boolean> machine =
        () -> {
          int open = TaskPool.count(database, "done_by IS NULL");
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
