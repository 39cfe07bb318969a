package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The result of a successful acquire: a grant, as the holder sees it.
 *
 * <p>It belongs to the owner of this handle, not to a thread; all methods may be called from any
 * thread.
 *
 * <p>A hold is HELD, then LOST or RELEASED for good. While it is held it is renewed in the
 * background, unless its lease is {@linkplain HoldfastOptions#withFixedLease fixed}.
 */
public interface Hold extends AutoCloseable {

  /**
   * Returns the public random id of this hold. Guards keep it to distinguish holders. Not a secret.
   */
  String id();

  /** Returns the namespace of the name; guards keep the claims of each namespace apart. */
  String namespace();

  /** Returns the name that is held. */
  String name();

  /**
   * Returns the fencing token. If the hold is exclusive, it is larger than every token granted on
   * this name before. Pass it to the guard of the protected resource. As text it is a decimal
   * string.
   */
  long token();

  /**
   * Returns whether the hold may still be believed. Local, without I/O. It may be false while the
   * store still reports the hold; it is never true while another holder could be in, within the
   * limits of {@code docs/guarantees.md}.
   */
  boolean isHeld();

  /** Returns how long {@link #isHeld()} stays true if no renewal succeeds; zero when not held. */
  Duration remaining();

  /**
   * Returns if {@link #isHeld()}. Otherwise throws {@link LockLostException}, or {@link
   * IllegalStateException} when the hold was released.
   */
  void ensureHeld();

  /** Returns why the hold was lost, if it was. */
  Optional<Loss> loss();

  /**
   * Calls back exactly once if the hold is lost, at the latest 50 ms after it stopped being held,
   * on a thread where it may block. Calls back at once if the hold is lost already, and never if it
   * is released.
   */
  void onLoss(Consumer<Loss> callback);

  /**
   * Calls back when renewals fail: no renewal was confirmed and the hold ends {@code lead} from
   * now. At most once; never after the hold is over.
   *
   * @param lead positive and at most half of the lease: a renewed hold is never nearer to its end
   *     than that
   */
  void onExpiring(Duration lead, Runnable callback);

  /**
   * Extends a fixed lease by another lease, counted from now. The lease never ends earlier than
   * before. Blocks for one reply of the store.
   *
   * @return the remaining time of the hold
   * @throws IllegalStateException when the lease is not fixed: it is renewed anyway
   * @throws LockLostException when the hold was lost
   * @throws StoreUnavailableException when the store did not reply; at least the old lease stands
   */
  Duration extend(Duration lease);

  /**
   * Releases the hold. Blocks until the store has replied or the operation timeout has passed.
   * Ignores interrupts and keeps the interrupt flag. Never throws because of the store.
   */
  Outcome release();

  /**
   * Releases the hold of a mutex, and has the store keep the name taken: nobody gets in for at
   * least {@code keepFor} from now, even if this client ends right after. Blocks as {@link
   * #release()}.
   *
   * <p>It is over for this holder: nothing is renewed, and {@link #isHeld()} is false. Others see
   * the name as held by this holder until the time has passed: their acquires wait or are busy.
   * Waiters keep their places, and waiters of this client too: nothing is handed over to them.
   * There is no way to take it back, except for operators who evict it.
   *
   * <p>{@link Outcome#RELEASED} says that the store keeps it. After {@link Outcome#UNKNOWN} the
   * store keeps it for what is left of its lease at least, and this is retried in the background
   * until then. The time may be longer than asked for, by a retry, or by what the store rounds up.
   *
   * @param keepFor at most 365 days; zero is {@link #release()}
   * @throws LockRefusedException when it is not a mutex (permits, either side of a read/write lock,
   *     or a run of {@link Once}), or when the store cannot do it: see {@link
   *     io.holdfast.spi.EngineTraits#keeps}. The hold stands then.
   * @throws IllegalArgumentException when the time is out of bounds; the hold stands
   */
  Outcome release(Duration keepFor);

  /**
   * Releases the hold without blocking. The future completes with what {@link #release()} would
   * return, on a thread where callbacks may block, and never exceptionally. Cancelling it has no
   * effect on the release.
   */
  CompletableFuture<Outcome> releaseAsync();

  /**
   * {@link #release()} for try-with-resources. Throws {@link LockLostException} if the hold was
   * lost, unless that loss was already thrown or returned to the caller. An unknown outcome is
   * logged.
   */
  @Override
  void close();
}
