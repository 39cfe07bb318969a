package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.Loss;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people do to a server that others use too. */
@Timeout(60)
class ForgetfulServerIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void clean() {
    server.call("FLUSHALL");
  }

  private static Holdfast connect() {
    return Holdfast.connect(server.uri() + "?holdfast.lease=2s");
  }

  @Test
  @DisplayName("SCRIPT FLUSH under load fails no call")
  void scriptFlush() throws InterruptedException {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger calls = new AtomicInteger();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    int flushes = 0;
    try (Holdfast holdfast = connect()) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        String name = "load/" + i;
        Holdfast view = i % 2 == 0 ? holdfast : holdfast.with(o -> o.withOrder(Order.FIFO));
        Thread thread =
            new Thread(
                () -> {
                  while (!stop.get()) {
                    try (Hold hold = view.lock(name).acquire(LONG)) {
                      calls.incrementAndGet();
                    } catch (InterruptedException | RuntimeException e) {
                      failures.add(e);
                    }
                  }
                });
        threads.add(thread);
        thread.start();
      }
      long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
      while (System.nanoTime() - end < 0) {
        server.call("SCRIPT", "FLUSH");
        flushes++;
      }
      stop.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    Figure.print(
        "SCRIPT FLUSH %,d times in 2 s: %,d grants, %d failed calls",
        flushes, calls.get(), failures.size());
    assertThat(failures).isEmpty();
    assertThat(calls.get()).isGreaterThan(100);
  }

  @Test
  @DisplayName("FLUSHALL: holders are told at their next renewal, and tokens still rise")
  void flushAll() throws InterruptedException {
    try (Holdfast holdfast = connect()) {
      List<Hold> holds = new ArrayList<>();
      Queue<Long> told = new ConcurrentLinkedQueue<>();
      for (int i = 0; i < 20; i++) {
        Order order = i % 2 == 0 ? Order.ANY : Order.FIFO;
        Hold hold = holdfast.with(o -> o.withOrder(order)).lock("held/" + i).acquire(LONG);
        hold.onLoss(loss -> told.add(System.nanoTime()));
        holds.add(hold);
      }
      long flushed = System.nanoTime();
      server.call("FLUSHALL");
      Await.until("all are told", LONG, () -> told.size() == holds.size());

      long last = told.stream().mapToLong(Long::longValue).max().orElseThrow();
      // A third of the lease, and a tenth of that for spreading.
      Figure.within(
          Duration.ofMillis(734), last - flushed, "FLUSHALL under 20 holders (lease 2 s): told");
      for (Hold hold : holds) {
        assertThat(hold.loss()).map(Loss::cause).contains(Loss.Cause.TAKEN);
        try (Hold next = holdfast.lock(hold.name()).acquire(LONG)) {
          assertThat(next.token()).isGreaterThan(hold.token());
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ANY, SET, not ours",
    "ANY, RPUSH, item",
    "ANY, SADD, item",
    "ANY, HSET, field",
    "FIFO, SET, not ours",
    "FIFO, RPUSH, item",
    "FIFO, ZADD, 1",
    "FIFO, HSET, field"
  })
  @DisplayName("a key of another program under our name is refused and left untouched")
  void foreignKey(Order order, String command, String value) throws InterruptedException {
    try (Holdfast holdfast = connect().with(o -> o.withOrder(order))) {
      Hold first = holdfast.lock("shared").acquire(LONG);
      String key = StoredKeys.ofLock(server, "shared");
      first.close();
      boolean pair = command.equals("HSET") || command.equals("ZADD");
      server.call(
          pair ? new String[] {command, key, value, "x"} : new String[] {command, key, value});
      String before = dump(key);

      assertThatThrownBy(() -> holdfast.lock("shared").acquire(LONG))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("shared");
      assertThatThrownBy(() -> holdfast.lock("shared").tryAcquire())
          .isInstanceOf(LockRefusedException.class);

      assertThat(dump(key)).isEqualTo(before);
      assertThat(server.call("PTTL", key)).isEqualTo("-1");
      assertThat(StoredKeys.ofLocks(server)).containsExactly(key);
    }
  }

  @ParameterizedTest
  @CsvSource({"ANY, n", "ANY, w", "ANY, i", "FIFO, q", "FIFO, h", "FIFO, e"})
  @DisplayName("a key of another program beside our key: refused, untouched, and nothing is taken")
  void foreignBeside(Order order, String part) throws InterruptedException {
    try (Holdfast holdfast = connect().with(o -> o.withOrder(order));
        Holdfast other = connect().with(o -> o.withOrder(order))) {
      Hold first = holdfast.lock("shared").acquire(LONG);
      String lock = StoredKeys.ofLock(server, "shared");
      String beside = lock.replace("}:l:", "}:" + part + ":");
      first.close();
      server.call("RPUSH", beside, "item");

      Throwable end = catchThrowable(() -> holdfast.lock("shared").tryAcquire());
      if (end == null) {
        // Nobody needed that key so far. Whoever has to wait does.
        end = catchThrowable(() -> other.lock("shared").acquire(LONG));
      }
      assertThat(end).isInstanceOf(LockRefusedException.class).hasMessageContaining("shared");
      holdfast.close();
      assertThat(server.call("LRANGE", beside, "0", "-1")).isEqualTo("item");
      // What could not be taken out beside such a key ends with its lease.
      Await.until(
          "the end of our keys",
          Duration.ofSeconds(3),
          () -> StoredKeys.ofLocks(server).equals(List.of(beside)));
    }
  }

  private static String dump(String key) {
    return switch (server.call("TYPE", key)) {
      case "string" -> server.call("GET", key);
      case "list" -> server.call("LRANGE", key, "0", "-1");
      case "set" -> server.call("SMEMBERS", key);
      case "zset" -> server.call("ZRANGE", key, "0", "-1", "WITHSCORES");
      default -> server.call("HGETALL", key);
    };
  }
}
