package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One candidate: waits for the mutex, leads, and after any end waits a while before it stands
 * again.
 *
 * <p>Whether it leads is whether its hold is held, so it stops leading before a rival can begin,
 * whatever the callbacks do. Callbacks run one after another in a chain of their own.
 */
final class MutexCandidacy implements Election.Candidacy {

  private static final long FIRST_PAUSE = 250_000_000L;
  private static final long LONGEST_PAUSE = 5_000_000_000L;
  private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

  private final Client client;
  private final DistributedLock lock;
  private final Election.Candidate candidate;
  private final Backoff pause;
  private final ReentrantLock guard = new ReentrantLock();

  private CompletableFuture<?> calls = CompletableFuture.completedFuture(null);
  private @Nullable CompletableFuture<Hold> asking;
  private volatile @Nullable HeldLock leadership;
  private long ledSince;
  private boolean closed;

  MutexCandidacy(Client client, DistributedLock lock, Election.Candidate candidate) {
    this.client = client;
    this.lock = lock;
    this.candidate = candidate;
    this.pause = new Backoff(client.jitter(), FIRST_PAUSE, LONGEST_PAUSE);
  }

  void stand() {
    if (isClosed()) {
      return;
    }
    // Outside of the guard: an engine that never blocks grants, and tells listeners, right here.
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
    if (hold instanceof HeldLock held) {
      lead(held);
    } else if (failure instanceof HoldfastException
        && !(failure instanceof HoldfastClosedException)) {
      client.log(System.Logger.Level.WARNING, "candidate for " + lock.name() + ": " + failure);
      standLater();
    }
  }

  private void lead(HeldLock hold) {
    guard.lock();
    try {
      if (closed) {
        hold.tenure().release(outcome -> {});
        return;
      }
      asking = null;
      leadership = hold;
      ledSince = client.world().nanoTime();
      call(() -> elected(hold));
    } finally {
      guard.unlock();
    }
    hold.tenure().onOver(() -> ended(hold));
  }

  private void elected(HeldLock hold) {
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

  private void giveUp(HeldLock hold) {
    hold.tenure().release(outcome -> {});
  }

  /** Leadership is over, however; comes once for each hold. */
  private void ended(HeldLock hold) {
    guard.lock();
    try {
      if (leadership != hold) {
        return;
      }
      leadership = null;
      if (client.world().nanoTime() - ledSince >= LONGEST_PAUSE) {
        pause.reset();
      }
      call(candidate::deposed);
    } finally {
      guard.unlock();
    }
    standLater();
  }

  private void standLater() {
    client.world().schedule(pause.next(), this::stand);
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
    HeldLock hold = leadership;
    return hold != null && hold.isHeld();
  }

  @Override
  public Optional<Hold> leadership() {
    HeldLock hold = leadership;
    return hold != null && hold.isHeld() ? Optional.of(hold) : Optional.empty();
  }

  @Override
  public void resign() {
    HeldLock hold = leadership;
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
