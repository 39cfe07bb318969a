package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a successful acquire answers: the grant, seen from the holder. It belongs to whoever has the
 * handle, not to a thread; all methods may be called from any thread.
 *
 * <p>A hold is HELD, then LOST or RELEASED for good. While it is held it is renewed in the
 * background, unless its lease is {@linkplain HoldfastOptions#withFixedLease fixed}.
 */
public interface Hold extends AutoCloseable {

  /** A public random id of this hold; guards keep it to tell two holders apart. Not a secret. */
  String id();

  /** The namespace that the name is in; guards keep the claims of each namespace apart. */
  String namespace();

  /** The name that is held. */
  String name();

  /**
   * The fencing token. Larger than every token granted on this name before, if the hold is
   * exclusive. Give it to the guard of what you protect. As text it is a decimal string.
   */
  long token();

  /**
   * Whether the hold may still be believed in. Local, without I/O. May be false while the store
   * still says held; never true when another could be in, as {@code docs/guarantees.md} says.
   */
  boolean isHeld();

  /** How long {@link #isHeld()} stays true if no renewal succeeds; zero when it is not held. */
  Duration remaining();

  /**
   * Returns if {@link #isHeld()}, else throws {@link LockLostException}, or {@link
   * IllegalStateException} when it was released.
   */
  void ensureHeld();

  /** Why it was lost, if it was. */
  Optional<Loss> loss();

  /**
   * Calls back exactly once if the hold is lost, at the latest 50 ms after it stopped being held,
   * on a thread where it may block; at once if it is lost already; never if it is released.
   */
  void onLoss(Consumer<Loss> callback);

  /**
   * Calls back when renewals fail: no renewal is confirmed and the hold ends {@code lead} from now.
   * At most once; never after the hold is over.
   *
   * @param lead positive and at most half of the lease: a hold that is renewed is never nearer to
   *     its end than that
   */
  void onExpiring(Duration lead, Runnable callback);

  /**
   * Gives a hold with a fixed lease another lease, counted from now. It never ends earlier for
   * that: if more is left already, that stays. Blocks for one answer of the store.
   *
   * @return how long it is held now
   * @throws IllegalStateException when the lease is not fixed: it is renewed anyway
   * @throws LockLostException when it was lost
   * @throws StoreUnavailableException when the store did not answer; the old lease stands, at least
   */
  Duration extend(Duration lease);

  /**
   * Gives it back. Blocks until the store answered or the operation timeout passed; does not react
   * to interrupts and keeps the interrupt flag. Never throws for what the store does.
   */
  Outcome release();

  /**
   * {@link #release()} for try-with-resources: throws {@link LockLostException} if the hold was
   * lost, unless that loss was already thrown or answered to the caller; an unknown outcome is
   * logged.
   */
  @Override
  void close();
}
