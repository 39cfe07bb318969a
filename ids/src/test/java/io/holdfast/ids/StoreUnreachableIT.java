package io.holdfast.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real store goes away: ids go on for the configured time, then end clearly, then go on. */
@Timeout(120)
class StoreUnreachableIT {

  private static final Duration LONG = Duration.ofSeconds(40);
  private static final Duration WINDOW = Duration.ofSeconds(3);

  /** A window is renewed three times in its length: so much is left just before. */
  private static final Duration TWO_THIRDS = WINDOW.multipliedBy(2).dividedBy(3);

  private RedisServer server;
  private FaultProxy proxy;
  private Holdfast holdfast;
  private final Set<Long> seen = new HashSet<>();

  @BeforeEach
  void start() {
    server = RedisServer.start();
    proxy = FaultProxy.to(server.process());
    holdfast =
        Holdfast.connect("redis://127.0.0.1:" + proxy.port() + "?holdfast.operationTimeout=10s");
  }

  @AfterEach
  void stop() {
    proxy.heal();
    holdfast.close();
    proxy.close();
    server.close();
  }

  /** At the same pace until there are none; answers how long it took. */
  private Duration untilNone(LongIds ids) {
    long start = System.nanoTime();
    while (true) {
      try {
        portion(ids);
      } catch (IdsUnavailableException e) {
        return Duration.ofNanos(System.nanoTime() - start);
      }
    }
  }

  /** 50 in 5 ms. */
  private void portion(LongIds ids) {
    make(ids, 50);
    LockSupport.parkNanos(5_000_000);
  }

  private void make(LongIds ids, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(seen.add(ids.next())).isTrue();
    }
  }

  @Test
  void a_timeline_goes_on_for_two_thirds_of_its_window_at_least() {
    TimelineOptions options =
        TimelineOptions.DEFAULTS.withWindow(WINDOW).withPatience(Duration.ofMillis(100));
    try (LongIds ids = Ids.over(holdfast).timeline("orders", options)) {
      make(ids, 1_000);
      assertThat(ids.supply().left().orElseThrow()).isGreaterThan(TWO_THIRDS);
      proxy.cut();
      Duration lasted = untilNone(ids);
      Figure.print(
          "timeline: Redis cut off, ids lasted %,d ms of a window of 3,000 ms", lasted.toMillis());
      assertThat(lasted).isBetween(TWO_THIRDS, Duration.ofSeconds(6));
      assertThatThrownBy(ids::next).hasMessageContaining("orders");
      assertThat(ids.supply().status()).isEqualTo(Supply.Status.DOWN);
      assertThat(ids.supply().left()).hasValue(Duration.ZERO);
      proxy.heal();
      Await.until("ids again", LONG, () -> seen.add(ids.next()));
      make(ids, 10_000);
    }
  }

  @Test
  void a_segment_goes_on_for_its_lasting() {
    SegmentOptions options =
        SegmentOptions.DEFAULTS
            .withSteps(100, 1_000_000)
            .withLasting(Duration.ofSeconds(2))
            .withPatience(Duration.ofMillis(100));
    try (LongIds ids = Ids.over(holdfast).segment("orders", options)) {
      // At the pace at which the store will be missed, so that the blocks have its size.
      for (int i = 0; i < 1_000; i++) {
        portion(ids);
      }
      Duration promised = ids.supply().left().orElseThrow();
      proxy.cut();
      Duration lasted = untilNone(ids);
      Figure.print(
          "segment: Redis cut off, ids lasted %,d ms, configured 2,000 ms, promised %,d ms",
          lasted.toMillis(), promised.toMillis());
      // The pace of the last blocks, to which these were made, was not quite the same.
      assertThat(lasted).isGreaterThan(Duration.ofMillis(1_800));
      proxy.heal();
      Await.until("ids again", LONG, () -> seen.add(ids.next()));
      make(ids, 10_000);
    }
  }

  @Test
  void counted_ids_open_without_the_store_and_ask_it_before_the_first_number() {
    Ids.over(holdfast).timeline("orders").close();
    proxy.cut();
    try (LongIds orders = Ids.over(holdfast).counter("orders");
        LongIds invoices = Ids.over(holdfast).counter("invoices")) {
      assertThatThrownBy(orders::next).isInstanceOf(IdsUnavailableException.class);
      assertThat(orders.supply().status()).isEqualTo(Supply.Status.DOWN);
      proxy.heal();
      Await.until("ids again", LONG, () -> seen.add(invoices.next()));
      assertThatThrownBy(orders::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("are time-ordered");
    }
  }
}
