package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastListener.Acquired;
import io.holdfast.HoldfastListener.Event;
import io.holdfast.HoldfastListener.LaneReplaced;
import io.holdfast.HoldfastListener.Lost;
import io.holdfast.HoldfastListener.NotAcquired;
import io.holdfast.HoldfastListener.Released;
import io.holdfast.HoldfastListener.RenewalFailed;
import io.holdfast.HoldfastListener.Why;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The events of a listener, by tag and never by name; its exceptions harm no caller. */
@Timeout(60)
class ListenerTest {

  private final TestWorld world = new TestWorld().drive();
  private final ScriptedEngine engine = ScriptedEngine.on(world);
  private final List<Event> heard = new ArrayList<>();
  private final Holdfast holdfast =
      Holdfast.open(engine, HoldfastOptions.DEFAULTS.withListener(heard::add), world);
  private final Holdfast rival = Holdfast.open(engine.rival(), HoldfastOptions.DEFAULTS, world);

  private DistributedLock order() {
    return holdfast.lock("orders/{}", 42);
  }

  @Test
  void anAcquireAndAReleaseAreReportedWithTheirTimes() throws Exception {
    Hold rivals = rival.lock("orders/42").tryAcquire().orElseThrow();
    world.schedule(Duration.ofSeconds(3).toNanos(), rivals::release);
    Hold hold = order().acquire(Duration.ofSeconds(10));
    world.advance(Duration.ofSeconds(5));
    hold.release();
    hold.release();
    assertThat(heard)
        .containsExactly(
            new Acquired("orders/{}", Kind.MUTEX, Duration.ofSeconds(3), false),
            new Released("orders/{}", Kind.MUTEX, Outcome.RELEASED, Duration.ofSeconds(5)));
  }

  @Test
  void everyReasonOfNotAcquiringIsReported() throws Exception {
    Hold rivals = rival.lock("orders/42").tryAcquire().orElseThrow();
    assertThat(order().tryAcquire()).isEmpty();
    assertThatThrownBy(() -> order().acquire(Duration.ofSeconds(1)))
        .isInstanceOf(LockTimeoutException.class);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> order().acquire()).isInstanceOf(InterruptedException.class);
    CompletableFuture<Hold> cancelled = order().acquireAsync(Duration.ofSeconds(9));
    cancelled.cancel(true);
    assertThatThrownBy(() -> holdfast.semaphore("orders/42", 3).tryAcquire())
        .isInstanceOf(LockRefusedException.class);
    ScriptedEngine.Rule down = engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    assertThatThrownBy(() -> order().tryAcquire()).isInstanceOf(StoreUnavailableException.class);
    down.end();
    engine.always(ScriptedEngine.Kind.ATTEMPT, Faults.requestLost());
    assertThatThrownBy(() -> order().tryAcquire()).isInstanceOf(OutcomeUnknownException.class);
    CompletableFuture<Hold> waiting = order().acquireAsync(Duration.ofSeconds(9));
    holdfast.close(Duration.ZERO);
    world.runCallbacks();
    assertThat(waiting).isCompletedExceptionally();
    assertThatThrownBy(() -> order().acquire()).isInstanceOf(HoldfastClosedException.class);
    assertThat(heard)
        .extracting(event -> ((NotAcquired) event).why())
        .containsExactly(
            Why.BUSY,
            Why.BUSY,
            Why.CANCELLED,
            Why.CANCELLED,
            Why.REFUSED,
            Why.UNAVAILABLE,
            Why.UNKNOWN,
            Why.CLOSED,
            Why.CLOSED);
    assertThat(((NotAcquired) heard.get(1)).waited()).isEqualTo(Duration.ofSeconds(1));
    assertThat(rivals.isHeld()).isTrue();
  }

  @Test
  void anOverloadIsReported() {
    ScriptedEngine blocking = ScriptedEngine.on(new TestWorld()).blocking(1, 10);
    TestWorld real = new TestWorld();
    List<Event> events = new CopyOnWriteArrayList<>();
    Holdfast full =
        Holdfast.open(
            blocking, HoldfastOptions.DEFAULTS.withListener(events::add).withQueueLimit(1), real);
    Gate gate = blocking.next(ScriptedEngine.Kind.ATTEMPT, Gate.beforeEffect());
    var stuck = full.lock("a").acquireAsync(Duration.ofMinutes(1));
    gate.awaitEntered();
    var queued = full.lock("b").acquireAsync(Duration.ofMinutes(1));
    assertThatThrownBy(() -> full.lock("c").tryAcquire()).isInstanceOf(OverloadedException.class);
    assertThat(full.lock("c").acquireAsync(Duration.ofSeconds(1))).isCompletedExceptionally();
    assertThat(events)
        .extracting(event -> ((NotAcquired) event).why())
        .containsExactly(Why.OVERLOADED, Why.OVERLOADED);
    gate.open();
    Await.until("both go on", () -> real.runCallbacks() || (stuck.isDone() && queued.isDone()));
  }

  @Test
  void aLossAndTheFailuresBeforeItAreReported() throws Exception {
    Hold hold = order().acquire(Duration.ofSeconds(1));
    engine.always(ScriptedEngine.Kind.RENEW, Faults.down());
    world.advance(HoldScene.LEASE);
    assertThat(hold.isHeld()).isFalse();
    assertThat(heard.get(0)).isInstanceOf(Acquired.class);
    assertThat(heard.subList(1, heard.size() - 1))
        .isNotEmpty()
        .containsOnly(new RenewalFailed("orders/{}", Kind.MUTEX, "connection refused"));
    assertThat(heard.get(heard.size() - 1))
        .isEqualTo(new Lost("orders/{}", Kind.MUTEX, Loss.Cause.EXPIRED, HoldScene.BELIEVED));
  }

  @Test
  void aReleaseWithoutAReplyIsReportedAsUnknown() throws Exception {
    Hold hold = order().acquire(Duration.ofSeconds(1));
    engine.next(ScriptedEngine.Kind.LEAVE, Faults.answerLost());
    hold.release();
    assertThat(heard.get(1))
        .isEqualTo(new Released("orders/{}", Kind.MUTEX, Outcome.UNKNOWN, Duration.ZERO));
  }

  @Test
  void aReplacedLaneIsReported() {
    TestWorld stopped = new TestWorld();
    ScriptedEngine blocking = ScriptedEngine.on(stopped).blocking(1, 10);
    List<Event> events = new CopyOnWriteArrayList<>();
    Holdfast slow =
        Holdfast.open(blocking, HoldfastOptions.DEFAULTS.withListener(events::add), stopped);
    Gate gate = blocking.next(ScriptedEngine.Kind.ATTEMPT, Gate.beforeEffect());
    var asked = slow.lock("a").acquireAsync(Duration.ofMinutes(1));
    gate.awaitEntered();
    stopped.advance(Duration.ofMillis(2_500));
    assertThat(events).contains(new LaneReplaced("untagged", "holdfast-lane-1"));
    gate.open();
    asked.cancel(true);
  }

  @Test
  void aListenerThatThrowsHarmsNoCaller() throws Exception {
    Holdfast noisy =
        holdfast.with(
            o ->
                o.withListener(
                    event -> {
                      throw new IllegalStateException("no room for metrics");
                    }));
    try (Logs logs = new Logs()) {
      Hold hold = noisy.lock("a").acquire(Duration.ofSeconds(1));
      engine.always(ScriptedEngine.Kind.RENEW, Faults.down());
      world.advance(Duration.ofSeconds(15));
      assertThat(hold.isHeld()).isTrue();
      assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
      assertThat(logs.with("no room for metrics")).hasSizeGreaterThan(3);
    }
    assertThat(engine.lines()).isEmpty();
  }

  @Test
  void twoListenersBothReceiveEvents() throws Exception {
    List<String> order = new ArrayList<>();
    HoldfastListener both =
        ((HoldfastListener) event -> order.add("one")).and(event -> order.add("two"));
    holdfast.with(o -> o.withListener(both)).lock("a").acquire(Duration.ofSeconds(1));
    assertThat(order).containsExactly("one", "two");
    HoldfastListener.NONE.on(new LaneReplaced("untagged", "lane"));
  }

  @Test
  void noEventEverHasARawName() throws Exception {
    for (int i = 0; i < 100; i++) {
      holdfast.lock("orders/{}", "secret-customer-" + i).acquire(Duration.ofSeconds(1)).release();
      holdfast.lock("secret-customer-" + i).acquire(Duration.ofSeconds(1)).release();
    }
    assertThat(heard).hasSize(400).noneMatch(event -> event.toString().contains("secret"));
    assertThat(heard).extracting(Event::tag).containsOnly("orders/{}", "untagged");
  }
}
