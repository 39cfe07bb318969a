package io.holdfast.runtime.primitive;

import io.holdfast.DistributedLock;
import io.holdfast.Election;
import io.holdfast.Hold;
import io.holdfast.HoldfastClosedException;
import io.holdfast.HoldfastException;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.spi.support.RetryDelay;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One candidate of an election: waits for the mutex, leads, and stands again.
 *
 * <p>It leads exactly while its hold is held, so it stops leading before a rival can begin,
 * whatever the callbacks do. Callbacks run one after another in a chain of their own. After
 * leadership ends, the candidate pauses before it stands again.
 */
public final class MutexCandidacy implements Election.Candidacy {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(300);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(6);
  private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

  private final Client client;
  private final DistributedLock lock;
  private final Election.Candidate candidate;
  private final RetryDelay.Sequence pause;
  private final ReentrantLock guard = new ReentrantLock();

  private CompletableFuture<?> calls = CompletableFuture.completedFuture(null);
  private @Nullable CompletableFuture<Hold> asking;
  private volatile @Nullable HoldHandle leadership;
  private long ledSince;
  private boolean closed;

  public MutexCandidacy(Client client, DistributedLock lock, Election.Candidate candidate) {
    this.client = client;
    this.lock = lock;
    this.candidate = candidate;
    this.pause = client.retryDelay(FIRST_PAUSE, LONGEST_PAUSE).sequence();
  }

  public void stand() {
    if (isClosed()) {
      return;
    }
    // Outside of the guard: an engine that never blocks grants, and notifies listeners, right here.
    CompletableFuture<Hold> asked = lock.acquireAsync(FOR_EVER);
    boolean late;
    guard.lock();
    try {
      late = closed;
      asking = asked;
    } finally {
      guard.unlock();
    }
    var unused = asked.whenComplete(this::asked);
    if (late) {
      asked.cancel(/* mayInterruptIfRunning= */ false);
    }
  }

  private boolean isClosed() {
    guard.lock();
    try {
      return closed;
    } finally {
      guard.unlock();
    }
  }

  private void asked(@Nullable Hold hold, @Nullable Throwable failure) {
    if (hold instanceof HoldHandle held) {
      lead(held);
    } else if (failure instanceof HoldfastException
        && !(failure instanceof HoldfastClosedException)) {
      client.log(System.Logger.Level.WARNING, "candidate for " + lock.name() + ": " + failure);
      standLater();
    }
  }

  private void lead(HoldHandle hold) {
    guard.lock();
    try {
      if (closed) {
        hold.holdState().release(outcome -> {});
        return;
      }
      asking = null;
      leadership = hold;
      ledSince = client.world().nanoTime();
      call(() -> elected(hold));
    } finally {
      guard.unlock();
    }
    hold.holdState().onOver(() -> ended(hold));
  }

  private void elected(HoldHandle hold) {
    try {
      candidate.elected(hold);
    } catch (Throwable e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      client.log(
          System.Logger.Level.WARNING, "leader of " + lock.name() + " gives up, it failed: " + e);
      giveUp(hold);
    }
  }

  private void giveUp(HoldHandle hold) {
    hold.holdState().release(outcome -> {});
  }

  /** Leadership is over, for any reason; called once for each hold. */
  private void ended(HoldHandle hold) {
    guard.lock();
    try {
      if (leadership != hold) {
        return;
      }
      leadership = null;
      if (client.world().nanoTime() - ledSince >= LONGEST_PAUSE.toNanos()) {
        pause.reset();
      }
      call(candidate::deposed);
    } finally {
      guard.unlock();
    }
    standLater();
  }

  private void standLater() {
    client.world().schedule(pause.nextNanos(), this::stand);
  }

  private void call(Runnable callback) {
    calls =
        calls.handleAsync(
            (done, failed) -> {
              callback.run();
              return null;
            },
            client::call);
  }

  @Override
  public boolean isLeader() {
    HoldHandle hold = leadership;
    return hold != null && hold.isHeld();
  }

  @Override
  public Optional<Hold> leadership() {
    HoldHandle hold = leadership;
    return hold != null && hold.isHeld() ? Optional.of(hold) : Optional.empty();
  }

  @Override
  public void resign() {
    HoldHandle hold = leadership;
    if (hold != null) {
      giveUp(hold);
    }
  }

  @Override
  public void close() {
    CompletableFuture<Hold> asked;
    guard.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      asked = asking;
    } finally {
      guard.unlock();
    }
    if (asked != null) {
      asked.cancel(/* mayInterruptIfRunning= */ false);
    }
    resign();
  }
}
