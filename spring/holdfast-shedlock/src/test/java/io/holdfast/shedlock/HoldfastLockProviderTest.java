package io.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastListener;
import io.holdfast.HoldfastListener.Event;
import io.holdfast.HoldfastOptions;
import io.holdfast.Outcome;
import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Resource;
import io.holdfast.tck.FaultyEngine;
import io.holdfast.tck.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockExtender.LockCanNotBeExtendedException;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the provider makes of ShedLock's times, losses and failures, in virtual time. */
@Timeout(60)
class HoldfastLockProviderTest {

  private static final Duration MOST = Duration.ofMinutes(30);
  private static final Duration LEAST = Duration.ofMinutes(5);

  private final ManualTime time = new ManualTime();
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final Holdfast holdfast =
      open("memory:jobs", HoldfastOptions.DEFAULTS.withListener(events::add));
  private final Holdfast rival = open("memory:jobs", HoldfastOptions.DEFAULTS);
  private final HoldfastLockProvider provider =
      new HoldfastLockProvider(holdfast, HoldfastLockProvider.DEFAULT_PREFIX, time);

  private Holdfast open(String uri, HoldfastOptions options) {
    return Holdfast.connect(uri, options, time);
  }

  @AfterEach
  void close() {
    rival.close(Duration.ZERO);
    holdfast.close(Duration.ZERO);
  }

  private static LockConfiguration configuration(Duration most, Duration least) {
    return new LockConfiguration(Instant.EPOCH, "report", most, least);
  }

  private SimpleLock lock(Duration most, Duration least) {
    return provider.lock(configuration(most, least)).orElseThrow();
  }

  private boolean isFree() throws InterruptedException {
    Optional<Hold> hold = rival.lock("shedlock/report").tryAcquire();
    hold.ifPresent(Hold::release);
    return hold.isPresent();
  }

  private TicketView ticket() throws EngineException {
    return rival
        .inspector()
        .orElseThrow()
        .show(new Resource("default", "shedlock/report"))
        .orElseThrow()
        .tickets()
        .get(0);
  }

  @Test
  void theStoreKeepsTheLockForLockAtLeastForThoughTheProcessIsGone() throws Exception {
    SimpleLock lock = lock(MOST, LEAST);
    time.advance(Duration.ofMinutes(2));
    lock.unlock();
    holdfast.close(Duration.ZERO);
    assertThat(ticket().leaseLeft()).isEqualTo(Duration.ofMinutes(3));
    time.advance(Duration.ofMinutes(3).minusMillis(1));
    assertThat(isFree()).isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(isFree()).isTrue();
  }

  @Test
  void aTaskThatTookLongerThanLockAtLeastForFreesTheLockAtOnce() throws Exception {
    SimpleLock lock = lock(MOST, LEAST);
    time.advance(LEAST);
    lock.unlock();
    assertThat(isFree()).isTrue();
  }

  @Test
  void aProcessThatDiesBlocksOthersForALeaseAndNotForLockAtMostFor() throws Exception {
    ManualTime stopped = new ManualTime();
    Holdfast dying = Holdfast.connect("memory:jobs", HoldfastOptions.DEFAULTS, stopped);
    new HoldfastLockProvider(dying, "shedlock/", stopped).lock(configuration(MOST, LEAST));
    assertThat(isFree()).isFalse();
    time.advance(Duration.ofSeconds(31)); // the other client's time stands still: it renews nothing
    assertThat(isFree()).isTrue();
    dying.close(Duration.ZERO);
  }

  @Test
  void theLockIsRenewedWhileTheTaskRunsAndReleasedAtLockAtMostFor() throws Exception {
    SimpleLock lock = lock(MOST, Duration.ZERO);
    time.advance(MOST.minusMillis(1));
    assertThat(isFree()).isFalse();
    time.advance(Duration.ofMillis(1));
    assertThat(isFree()).isTrue();
    assertThatCode(lock::unlock).doesNotThrowAnyException();
    assertThat(isFree()).isTrue();
    assertThat(holdfast.stats().held()).isZero();
  }

  @Test
  void aLateUnlockDoesNotFreeTheLockOfTheNextMachine() throws Exception {
    SimpleLock late = lock(MOST, Duration.ZERO);
    time.advance(MOST);
    Hold next = rival.lock("shedlock/report").acquire(Duration.ofSeconds(1));
    late.unlock();
    assertThat(next.isHeld()).isTrue();
    assertThat(next.release()).isEqualTo(Outcome.RELEASED);
  }

  @Test
  void anExtensionCountsBothTimesAgain() throws Exception {
    SimpleLock lock = lock(MOST, Duration.ZERO);
    time.advance(Duration.ofMinutes(20));
    SimpleLock longer = lock.extend(MOST, LEAST).orElseThrow();
    time.advance(Duration.ofMinutes(20));
    assertThat(isFree()).isFalse();
    SimpleLock last = longer.extend(MOST, LEAST).orElseThrow();
    time.advance(Duration.ofMinutes(1));
    last.unlock();
    assertThat(ticket().leaseLeft()).isEqualTo(Duration.ofMinutes(4));
    assertThat(holdfast.stats().held()).isZero();
  }

  @Test
  void aLostLockCannotBeExtendedAndIsNotKept() throws Exception {
    SimpleLock lock = lock(MOST, LEAST);
    evict();
    assertThat(lock.extend(MOST, LEAST)).isEmpty();
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
    assertThat(isFree()).isTrue();
    assertThat(holdfast.stats().held()).isZero();
  }

  private void evict() throws EngineException {
    Resource resource = new Resource("default", "shedlock/report");
    rival.inspector().orElseThrow().evict(resource, ticket().token(), "stuck");
    time.advance(Duration.ofSeconds(1));
  }

  @Test
  void aLossIsReportedAndDoesNotMaskTheExceptionOfTheTask() {
    DefaultLockingTaskExecutor executor = new DefaultLockingTaskExecutor(provider);
    Runnable task =
        () -> {
          try {
            evict();
          } catch (EngineException e) {
            throw new AssertionError(e);
          }
          throw new IllegalArgumentException("of the task");
        };
    assertThatThrownBy(() -> executor.executeWithLock(task, configuration(MOST, LEAST)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("of the task");
    assertThat(events).filteredOn(HoldfastListener.Lost.class::isInstance).hasSize(1);
  }

  @Test
  void theActiveLockIsExtendedByShedLocksExtender() {
    DefaultLockingTaskExecutor executor = new DefaultLockingTaskExecutor(provider);
    executor.executeWithLock(
        (Runnable)
            () -> {
              time.advance(MOST.minusMinutes(1));
              LockExtender.extendActiveLock(MOST, Duration.ZERO);
              time.advance(MOST.minusMinutes(1));
              assertThat(holdfast.stats().held()).isEqualTo(1);
            },
        configuration(MOST, Duration.ZERO));
    assertThat(holdfast.stats().held()).isZero();
    assertThatThrownBy(
            () ->
                executor.executeWithLock(
                    (Runnable)
                        () -> {
                          time.advance(MOST);
                          LockExtender.extendActiveLock(MOST, Duration.ZERO);
                        },
                    configuration(MOST, Duration.ZERO)))
        .isInstanceOfAny(LockCanNotBeExtendedException.class, IllegalStateException.class);
  }

  @Test
  void eventsCarryTheTemplateAndNeverTheName() {
    lock(MOST, Duration.ZERO).unlock();
    assertThat(events).extracting(Event::tag).containsOnly("shedlock/{}");
  }

  @Test
  void anotherPrefixIsAnotherLock() throws Exception {
    lock(MOST, Duration.ZERO);
    HoldfastLockProvider other = new HoldfastLockProvider(holdfast, "batch/", time);
    assertThat(other.lock(configuration(MOST, Duration.ZERO))).isPresent();
    assertThat(rival.lock("batch/report").tryAcquire()).isEmpty();
    assertThatThrownBy(() -> new HoldfastLockProvider(holdfast, "{}/"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("prefix=\"{}/\"");
  }

  @Test
  void anInterruptIsNotABusyLock() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> provider.lock(configuration(MOST, Duration.ZERO)))
        .isInstanceOf(LockException.class)
        .hasMessageContaining("interrupted while shedlock/report");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(holdfast.stats().held()).isZero();
  }

  @Test
  void aClosedClientIsNotABusyLock() {
    holdfast.close(Duration.ZERO);
    assertThatThrownBy(() -> provider.lock(configuration(MOST, Duration.ZERO)))
        .isInstanceOf(LockException.class)
        .hasMessageContaining("shedlock/report could not be locked: client of memory:jobs");
  }

  @Test
  void aStoreThatDoesNotReplyIsNotABusyLock() {
    FaultyEngine engine = FaultyEngine.over(MemoryEngine.create(time::nanoTime, time::epochMicros));
    try (Holdfast client = Holdfast.open(engine, HoldfastOptions.DEFAULTS, time)) {
      HoldfastLockProvider cutOff = new HoldfastLockProvider(client, "shedlock/", time);
      SimpleLock lock = cutOff.lock(configuration(MOST, Duration.ZERO)).orElseThrow();
      engine.cut();
      assertThatCode(lock::unlock).doesNotThrowAnyException();
      assertThatThrownBy(() -> cutOff.lock(configuration(MOST, Duration.ZERO)))
          .isInstanceOf(LockException.class)
          .hasMessageContaining("shedlock/report could not be locked")
          .hasCauseInstanceOf(HoldfastException.class);
      engine.heal();
    }
  }

  @Test
  void aStoreThatCannotKeepANameRefusesLockAtLeastForAtOnce() {
    String masters = "redlock://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3";
    try (Holdfast redlock = Holdfast.connect(masters)) {
      HoldfastLockProvider votes = new HoldfastLockProvider(redlock);
      assertThatThrownBy(() -> votes.lock(configuration(MOST, LEAST)))
          .isInstanceOf(LockException.class)
          .hasNoCause()
          .hasMessageContaining("cannot be locked for at least 300000 ms")
          .hasMessageContaining("leave lockAtLeastFor out, or use another store");
    }
  }

  /** More nanoseconds than a number has: the lock was granted, and nobody could unlock it. */
  @Test
  void lockAtMostForMayBeAsGoodAsForEver() throws Exception {
    SimpleLock lock = lock(Duration.ofDays(365_000), Duration.ZERO);
    assertThat(isFree()).isFalse();
    lock.unlock();
    assertThat(isFree()).isTrue();
  }
}
