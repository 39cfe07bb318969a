package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener.Acquired;
import io.holdfast.HoldfastListener.LaneReplaced;
import io.holdfast.HoldfastListener.NotAcquired;
import io.holdfast.HoldfastListener.Released;
import io.holdfast.HoldfastListener.RenewalFailed;
import io.holdfast.HoldfastListener.Why;
import io.holdfast.HoldfastOptions;
import io.holdfast.Kind;
import io.holdfast.Outcome;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import io.holdfast.tck.ManualTime;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** U40: what a team sees of its locks, and that names never become meters. */
@Timeout(60)
class U40MetersTest {

  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final int NAMES = 1_000_000;

  private final ManualTime time = new ManualTime();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final HoldfastMeters meters = HoldfastMeters.of(registry);
  private final Holdfast holdfast = open("memory:meters", meters);
  private final Holdfast rival = Holdfast.connect("memory:meters", HoldfastOptions.DEFAULTS, time);

  private Holdfast open(String uri, HoldfastMeters listener) {
    return Holdfast.connect(uri, HoldfastOptions.DEFAULTS.withListener(listener), time);
  }

  @AfterEach
  void close() {
    rival.close(Duration.ZERO);
    holdfast.close(Duration.ZERO);
  }

  private Timer timer(String name, String lock, String kind, String outcome) {
    return registry.get(name).tags("lock", lock, "kind", kind, "outcome", outcome).timer();
  }

  private double count(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  @Test
  void anAcquireAndItsHoldAreTimed() throws Exception {
    Hold rivals = rival.lock("orders/42").acquire();
    CompletableFuture<Hold> waiting = holdfast.lock("orders/{}", 42).acquireAsync(WAIT);
    time.advance(Duration.ofSeconds(2));
    rivals.release();
    time.advance(Duration.ofSeconds(1));
    Hold hold = waiting.get(1, TimeUnit.SECONDS);
    time.advance(Duration.ofSeconds(7));
    hold.release();

    Timer acquire = timer("holdfast.acquire", "orders/{}", "mutex", "acquired");
    assertThat(acquire.count()).isEqualTo(1);
    assertThat(acquire.totalTime(TimeUnit.SECONDS)).isBetween(2.0, 3.0);
    Timer held = timer("holdfast.hold", "orders/{}", "mutex", "released");
    assertThat(held.count()).isEqualTo(1);
    assertThat(held.totalTime(TimeUnit.SECONDS)).isBetween(7.0, 8.0);
  }

  @Test
  void aBusyLockIsAnOutcomeOfItsOwn() throws Exception {
    Hold rivals = rival.lock("a").acquire();
    assertThat(holdfast.lock("a").tryAcquire()).isEmpty();
    assertThat(holdfast.semaphore("pool/{}", 2, "x").tryAcquire()).isPresent();
    rivals.release();
    assertThat(timer("holdfast.acquire", "untagged", "mutex", "busy").count()).isEqualTo(1);
    assertThat(timer("holdfast.acquire", "pool/{}", "semaphore", "acquired").count()).isEqualTo(1);
  }

  @Test
  void aHandOverIsToldFromAnAcquireAtTheStore() throws Exception {
    DistributedLock lock = holdfast.lock("a");
    Hold first = lock.acquire();
    CompletableFuture<Hold> second = lock.acquireAsync(WAIT);
    first.release();
    second.get(1, TimeUnit.SECONDS).release();
    assertThat(timer("holdfast.acquire", "untagged", "mutex", "acquired").count()).isEqualTo(1);
    assertThat(timer("holdfast.acquire", "untagged", "mutex", "handed_over").count()).isEqualTo(1);
  }

  @Test
  void aLossIsCountedByItsCause() throws Exception {
    Hold hold = holdfast.lock("jobs/{}", 1).acquire();
    EngineInspector inspector = holdfast.inspector().orElseThrow();
    inspector.evict(new Resource("default", "jobs/1"), hold.token(), "stuck");
    assertThat(hold.release()).isEqualTo(Outcome.LOST);
    Holdfast brief = holdfast.with(o -> o.withMaxHold(Duration.ofSeconds(3)));
    Hold tooLong = brief.lock("jobs/{}", 2).acquire();
    time.advance(Duration.ofSeconds(4));
    assertThat(tooLong.isHeld()).isFalse();

    assertThat(count("holdfast.lost", "lock", "jobs/{}", "kind", "mutex", "cause", "taken"))
        .isEqualTo(1);
    assertThat(count("holdfast.lost", "lock", "jobs/{}", "kind", "mutex", "cause", "max_hold"))
        .isEqualTo(1);
    assertThat(timer("holdfast.hold", "jobs/{}", "mutex", "lost").count()).isEqualTo(2);
  }

  @Test
  void renewalsAndLanesThatFailAreCounted() {
    meters.on(new RenewalFailed("orders/{}", Kind.MUTEX, "no reply"));
    meters.on(new RenewalFailed("orders/{}", Kind.MUTEX, "another text"));
    meters.on(new LaneReplaced("untagged", "lane 1"));
    meters.on(new LaneReplaced("untagged", "lane 2"));
    assertThat(count("holdfast.renewal.failures", "lock", "orders/{}", "kind", "mutex"))
        .isEqualTo(2);
    assertThat(registry.get("holdfast.lane.replacements").counters())
        .singleElement()
        .satisfies(counter -> assertThat(counter.count()).isEqualTo(2));
  }

  @Test
  void gaugesFollowTheClient() throws Exception {
    meters.bind(holdfast);
    assertThat(gauge("holdfast.held")).isZero();
    assertThat(count("holdfast.lane.replacements")).isZero();
    Hold rivals = rival.lock("b").acquire();
    Hold hold = holdfast.lock("a").acquire();
    CompletableFuture<Hold> waiting = holdfast.lock("b").acquireAsync(WAIT);
    assertThat(gauge("holdfast.held")).isEqualTo(1);
    assertThat(gauge("holdfast.waiting")).isEqualTo(1);
    assertThat(gauge("holdfast.renewals.failing")).isZero();
    assertThat(gauge("holdfast.leaving")).isZero();
    assertThat(gauge("holdfast.draining")).isZero();
    waiting.cancel(true);
    hold.release();
    rivals.release();
    holdfast.drain(Duration.ZERO);
    assertThat(gauge("holdfast.held")).isZero();
    assertThat(gauge("holdfast.waiting")).isZero();
    assertThat(gauge("holdfast.draining")).isEqualTo(1);
  }

  @Test
  void twoClientsAreToldApartByTheirTags() throws Exception {
    HoldfastMeters second = meters.withTags(Tags.of("client", "second"));
    Holdfast other = open("memory:", second);
    second.bind(other);
    meters.withTags(List.of(Tag.of("client", "first"))).bind(holdfast);
    Hold hold = other.lock("a").acquire();
    assertThat(registry.get("holdfast.held").tag("client", "second").gauge().value()).isEqualTo(1);
    assertThat(registry.get("holdfast.held").tag("client", "first").gauge().value()).isZero();
    assertThat(registry.get("holdfast.acquire").tag("client", "second").timer().count())
        .isEqualTo(1);
    hold.release();
    other.close(Duration.ZERO);
  }

  @Test
  void aMillionNamesGiveFewerThanAHundredMeters() throws Exception {
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withListener(meters);
    try (Holdfast realTime = Holdfast.connect("memory:", options)) {
      meters.bind(realTime);
      for (int i = 0; i < NAMES / 2; i++) {
        realTime.lock("orders/{}", i).acquire().release();
        realTime.lock("plain/" + i).acquire().release();
      }
    }
    assertThat(timer("holdfast.acquire", "orders/{}", "mutex", "acquired").count())
        .isEqualTo(NAMES / 2);
    assertThat(timer("holdfast.hold", "untagged", "mutex", "released").count())
        .isEqualTo(NAMES / 2);
    assertThat(registry.getMeters()).hasSizeLessThan(100);
    assertThat(registry.getMeters()).hasSize(4 + 6);
  }

  @Test
  void templatesAboveTheLimitShareOneTag() {
    HoldfastMeters few = meters.withMaxTags(3);
    for (int i = 0; i < 1000; i++) {
      few.on(new Acquired("made at run time " + i, Kind.MUTEX, Duration.ZERO, false));
    }
    few.on(new Acquired("made at run time 1", Kind.MUTEX, Duration.ZERO, false));
    assertThat(registry.get("holdfast.acquire").timers())
        .extracting(timer -> timer.getId().getTag("lock") + " " + timer.count())
        .containsExactlyInAnyOrder(
            "made at run time 0 1", "made at run time 1 2", "made at run time 2 1", "other 997");
    assertThat(HoldfastMeters.DEFAULT_MAX_TAGS).isEqualTo(100);
    assertThatThrownBy(() -> meters.withMaxTags(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxTags=0");
  }

  @Test
  void theLimitHoldsWhenManyThreadsMeetNewTagsAtOnce() throws Exception {
    BoundedTags tags = new BoundedTags(50);
    Set<String> seen = ConcurrentHashMap.newKeySet();
    List<Thread> threads =
        IntStream.range(0, 8)
            .mapToObj(
                n ->
                    new Thread(
                        () -> {
                          for (int i = 0; i < 10_000; i++) {
                            seen.add(tags.of("t" + (i * 7 + n) % 10_000));
                          }
                        }))
            .toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(seen).hasSize(51).contains(BoundedTags.OTHER);
  }

  @Test
  void metersOfOneNameHaveTheSameKeysOfTags() {
    meters.bind(holdfast);
    for (Kind kind : Kind.values()) {
      for (Why why : Why.values()) {
        meters.on(new NotAcquired("a", kind, why, Duration.ZERO));
      }
      for (Outcome outcome : Outcome.values()) {
        meters.on(new Released("a", kind, outcome, Duration.ZERO));
      }
      meters.on(new Acquired("a", kind, Duration.ZERO, true));
      meters.on(new Acquired("a", kind, Duration.ZERO, false));
      meters.on(new RenewalFailed("a", kind, ""));
    }
    meters.on(new LaneReplaced("untagged", "lane 1"));
    Map<String, Set<Set<String>>> keys = new HashMap<>();
    for (Meter meter : registry.getMeters()) {
      keys.computeIfAbsent(meter.getId().getName(), n -> new HashSet<>())
          .add(meter.getId().getTags().stream().map(Tag::getKey).collect(Collectors.toSet()));
      assertThat(meter.getId().getDescription()).isNotBlank();
    }
    assertThat(keys)
        .allSatisfy((name, sets) -> assertThat(sets).as(name).hasSize(1))
        .containsEntry("holdfast.acquire", Set.of(Set.of("lock", "kind", "outcome")))
        .containsEntry("holdfast.lane.replacements", Set.of(Set.of()));
  }
}
