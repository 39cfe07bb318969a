package io.holdfast.server.security;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Room for one connection or one request, until it is closed; or the refusal. Thread-safe.
 *
 * <p>Closing twice, and closing a refused permit, does nothing.
 */
public final class Permit implements AutoCloseable {

  private final Optional<Refusal> refusal;
  private final Optional<Refusal> onlyKeeping;
  private final Runnable giveBack;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Permit(Optional<Refusal> refusal, Optional<Refusal> onlyKeeping, Runnable giveBack) {
    this.refusal = refusal;
    this.onlyKeeping = onlyKeeping;
    this.giveBack = giveBack;
  }

  static Permit of(Runnable giveBack) {
    return new Permit(Optional.empty(), Optional.empty(), giveBack);
  }

  static Permit refused(Refusal refusal) {
    return new Permit(Optional.of(refusal), Optional.empty(), Permit::nothing);
  }

  private static void nothing() {}

  /** For calls that no limit counts. */
  static Permit free() {
    return of(Permit::nothing);
  }

  static Permit onlyKeeping(Refusal others, Runnable giveBack) {
    return new Permit(Optional.empty(), Optional.of(others), giveBack);
  }

  /** Returns why there is no room, if so. */
  public Optional<Refusal> refusal() {
    return refusal;
  }

  /**
   * Returns the refusal of a call on this connection. A connection above the limit may still renew
   * and release, so that a client whose old connections are not yet known to be dead keeps its
   * holds.
   */
  public Optional<Refusal> check(Call call) {
    return refusal.isPresent() ? refusal : call.isKeeping() ? Optional.empty() : onlyKeeping;
  }

  /** Gives the room back. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      giveBack.run();
    }
  }
}
