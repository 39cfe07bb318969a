package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.RedisServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Grants that a replica must confirm, and a replica that does not. */
@Isolated
@Timeout(60)
class U16ReplicasIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String OPTIONS = "?minReplicas=1&replicaTimeout=100ms&holdfast.lease=2s";

  private static RedisServer master;
  private static RedisServer replica;

  @BeforeAll
  static void start() {
    master = RedisServer.start();
    replica = RedisServer.start(RedisServerOptions.PLAIN.replicaOf(master));
    replica.awaitInSync(master);
  }

  @AfterEach
  void heal() {
    replica.process().resume();
  }

  @AfterAll
  static void stop() {
    replica.close();
    master.close();
  }

  private static Holdfast connect(Order order) {
    return Holdfast.connect(master.uri() + OPTIONS).with(o -> o.withOrder(order));
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  @DisplayName("a grant that no replica confirms is undone, and the caller is told why in time")
  void undone(Order order) throws InterruptedException {
    try (Holdfast holdfast = connect(order)) {
      Hold first = holdfast.lock("x").acquire(LONG);
      first.close();
      replica.process().pause();
      long start = System.nanoTime();
      Throwable end = catchThrowable(() -> holdfast.lock("x").acquire(Duration.ofSeconds(1)));
      long took = System.nanoTime() - start;
      Figure.within(
          Duration.ofMillis(1_100), took, "no replica confirms, order " + order + ": acquire(1 s)");
      assertThat(end)
          .isInstanceOf(HoldfastException.class)
          .hasMessageContaining("not safely replicated");
      assertThat(holdfast.health().held()).isZero();
      StoredKeys.awaitNoLocks(master, Duration.ofSeconds(1));

      replica.process().resume();
      try (Hold next = holdfast.lock("x").acquire(LONG)) {
        assertThat(next.token()).isGreaterThan(first.token());
      }
    }
    StoredKeys.awaitNone(master, Duration.ofSeconds(4));
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  @DisplayName("a replica that fails while a lock is held does not end the lease")
  void heldOn(Order order) throws InterruptedException {
    try (Holdfast holdfast = connect(order)) {
      Hold hold = holdfast.lock("x").acquire(LONG);
      replica.process().pause();
      long start = System.nanoTime();
      Await.until(
          "more than a lease",
          LONG,
          () -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(2_500));
      assertThat(hold.isHeld()).isTrue();
      Figure.print(
          "replica away for 2.5 s (lease 2 s, order %s): still held, %,d ms left",
          order, hold.remaining().toMillis());
      hold.close();
    }
    StoredKeys.awaitNone(master, Duration.ofSeconds(4));
  }
}
