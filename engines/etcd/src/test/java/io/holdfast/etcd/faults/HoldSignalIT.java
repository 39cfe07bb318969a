package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Loss;
import io.holdfast.etcd.Engines;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A holder is notified when its record is changed or deleted, long before it renews. */
@Timeout(120)
class HoldSignalIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SOON = Duration.ofMillis(300);

  private EtcdServer server;
  private LockEngine operator;
  private Holdfast holdfast;

  @BeforeEach
  void start() {
    server = EtcdServer.start();
    operator = Engines.open(server.uri());
    holdfast = Holdfast.connect(server.uri());
  }

  @AfterEach
  void stop() {
    holdfast.close();
    operator.close();
    server.close();
  }

  /** How a hold is come by. */
  private interface Taking {
    Hold from(Holdfast holdfast) throws InterruptedException;
  }

  /** How its record is changed. */
  private interface Change {
    void of(HoldSignalIT test, Hold hold) throws Exception;
  }

  private static Stream<Arguments> cases() {
    Taking mutex = h -> h.lock("x").acquire(LONG);
    Taking writer = h -> h.readWriteLock("x").writeLock().acquire(LONG);
    Taking reader = h -> h.readWriteLock("x").readLock().acquire(LONG);
    Taking permit = h -> h.semaphore("x", 3).acquire(LONG);
    Taking fixed =
        h -> h.with(o -> o.withFixedLease(Duration.ofSeconds(30))).lock("x").acquire(LONG);
    Change revoke = (t, h) -> t.inspector().revoke(resource(h), h.token(), "at nine");
    Change evict = (t, h) -> t.inspector().evict(resource(h), h.token(), "at nine");
    Change delete = (t, h) -> t.server.delete(Lines.first(t.server, h.name()));
    return Stream.of(
        Arguments.of("mutex revoked", mutex, revoke),
        Arguments.of("mutex evicted", mutex, evict),
        Arguments.of("mutex deleted by hand", mutex, delete),
        Arguments.of("writer evicted", writer, evict),
        Arguments.of("reader revoked", reader, revoke),
        Arguments.of("permit revoked", permit, revoke),
        Arguments.of("permit evicted", permit, evict),
        Arguments.of("fixed lease revoked", fixed, revoke),
        Arguments.of("fixed lease evicted", fixed, evict));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  @DisplayName("a holder is notified within 300 ms at the default lease, new or held for a while")
  void told(String what, Taking taking, Change change) throws Exception {
    for (Duration held : List.of(Duration.ZERO, Duration.ofSeconds(1))) {
      AtomicLong told = new AtomicLong();
      Hold hold = taking.from(holdfast);
      hold.onLoss(loss -> told.set(System.nanoTime()));
      long in = System.nanoTime();
      Await.until("a while", LONG, () -> System.nanoTime() - in >= held.toNanos());
      change.of(this, hold);
      long changed = System.nanoTime();
      Await.until("told", LONG, () -> told.get() != 0);
      Figure.within(
          SOON,
          told.get() - changed,
          "%s (lease 30 s, held for %d ms): told".formatted(what, held.toMillis()));
      assertThat(hold.loss().orElseThrow().cause()).isIn(Loss.Cause.REVOKED, Loss.Cause.TAKEN);
      Lines.awaitNone(server, LONG);
    }
  }

  @Test
  @DisplayName("what happened while the watches were cut off is told long before the next renewal")
  void afterAnOutage() throws Exception {
    try (FaultProxy proxy = FaultProxy.to(server.process());
        // The regular renewal comes 18 s after the grant at the earliest.
        Holdfast behind = Holdfast.connect(proxyUri(proxy) + "?holdfast.lease=60s")) {
      Hold hold = behind.lock("x").acquire(LONG);
      AtomicLong told = new AtomicLong();
      hold.onLoss(loss -> told.set(System.nanoTime()));
      Await.until("it is watched", LONG, () -> watched(behind) == 1);
      proxy.cut();
      Await.until("its watch is lost", LONG, () -> watched(behind) == 0);
      long lost = System.nanoTime();
      server.delete(Lines.first(server, "x"));
      // Long enough that the first try to watch again has failed.
      Await.until("a second", LONG, () -> System.nanoTime() - lost > 1_000_000_000L);
      proxy.heal();
      long healed = System.nanoTime();
      Await.until("told", LONG, () -> told.get() != 0);
      Figure.within(
          Duration.ofSeconds(2), told.get() - healed, "etcd: deleted while cut off: told");
      assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.TAKEN);
    }
  }

  private String proxyUri(FaultProxy proxy) {
    return server.uri().replace(":" + server.port(), ":" + proxy.port());
  }

  private static long watched(Holdfast client) {
    return client.health().counters().get("signals.holds");
  }

  @Test
  @DisplayName("reading a fixed lease, as after a signal, does not extend it")
  void fixedStaysFixed() throws Exception {
    Duration time = Duration.ofSeconds(6);
    Holdfast fixed = holdfast.with(o -> o.withFixedLease(time));
    Hold hold = fixed.lock("x").acquire(LONG);
    long in = System.nanoTime();
    String key = Lines.first(server, "x");
    long before = server.revision();
    // The same value again: a change by hand that takes nothing away.
    server.touch(key);
    Await.until("the end", LONG, () -> !hold.isHeld());
    Figure.since(in, time, "a fixed lease of 6 s that was looked at ends");
    assertThat(System.nanoTime() - in).isLessThan(time.plusSeconds(1).toNanos());
    assertThat(server.revision() - before).as("nothing but the touch was written").isLessThan(5);
  }

  @Test
  @DisplayName("holds that are over within a moment are not watched")
  void briefHolds() throws Exception {
    for (int i = 0; i < 300; i++) {
      holdfast.lock("brief/" + i).acquire(LONG).close();
    }
    assertThat(holdfast.health().counters().get("signals.holds")).isZero();
    assertThat(server.metric("etcd_debugging_mvcc_watcher_total")).isZero();
  }

  private EngineInspector inspector() {
    return operator.inspector().orElseThrow();
  }

  private static Resource resource(Hold hold) {
    return new Resource(hold.namespace(), hold.name());
  }
}
