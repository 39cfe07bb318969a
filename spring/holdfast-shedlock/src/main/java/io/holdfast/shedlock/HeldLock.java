package io.holdfast.shedlock;

import io.holdfast.Hold;
import io.holdfast.Outcome;
import io.holdfast.World;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * A hold as ShedLock sees it, with the times of one configuration. An extension makes another one
 * of the same hold.
 */
final class HeldLock extends AbstractSimpleLock {

  /*
   * Three may end it: unlock(), extend(), which passes the hold on, and the timer of lockAtMostFor.
   * The first of them gets the hold, by one compare-and-set; the others find it ended.
   */

  private static final System.Logger LOG = System.getLogger("io.holdfast.shedlock");

  /** As good as for ever; more does not fit into nanoseconds. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final Hold hold;
  private final World world;
  private final long since;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Runnable stopTimer;

  HeldLock(LockConfiguration configuration, Hold hold, World world) {
    super(configuration);
    this.hold = hold;
    this.world = world;
    this.since = world.nanoTime();
    Duration most = configuration.getLockAtMostFor();
    long nanos = (most.compareTo(LONGEST) < 0 ? most : LONGEST).toNanos();
    this.stopTimer = world.schedule(nanos, this::lockAtMostForIsOver);
  }

  /** Runs on the timer, which must not block. */
  private void lockAtMostForIsOver() {
    if (end()) {
      CompletableFuture<Outcome> ignored = hold.releaseAsync();
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} was locked for lockAtMostFor, {1} ms, and is released now; its task still runs, and"
              + " other machines may run it too: token {2}",
          hold.name(),
          lockConfiguration.getLockAtMostFor().toMillis(),
          Long.toString(hold.token()));
    }
  }

  private boolean end() {
    return ended.compareAndSet(false, true);
  }

  /** Never throws for a loss: the exception of the task would be masked. */
  @Override
  protected void doUnlock() {
    if (!end()) {
      return;
    }
    stopTimer.run();
    Outcome outcome = release();
    if (outcome == Outcome.LOST) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} was lost while its task ran, and another machine may have run it too: {1}",
          hold.name(),
          hold.loss().map(Object::toString).orElse(""));
    } else if (outcome == Outcome.UNKNOWN) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the release of {0} got no reply; it is retried in the background, and ends with the"
              + " lease at the latest",
          hold.name());
    }
  }

  private Outcome release() {
    Duration least = lockConfiguration.getLockAtLeastFor();
    Duration left = least.minus(held());
    return left.isNegative() || left.isZero() ? hold.release() : hold.release(left);
  }

  private Duration held() {
    return Duration.ofNanos(world.nanoTime() - since);
  }

  @Override
  protected Optional<SimpleLock> doExtend(LockConfiguration longer) {
    if (!end()) {
      return Optional.empty();
    }
    stopTimer.run();
    // The timer may be late.
    Duration most = lockConfiguration.getLockAtMostFor();
    if (held().compareTo(most) < 0 && hold.isHeld()) {
      return Optional.of(new HeldLock(longer, hold, world));
    }
    // ShedLock never unlocks a lock whose extension failed.
    Outcome ignored = hold.release();
    return Optional.empty();
  }
}
