package io.holdfast.spring;

import io.holdfast.Hold;
import java.util.List;
import java.util.Optional;

/**
 * The holds of the annotated methods that the calling thread is in: of {@link Locked}, {@link
 * RunOnce} and {@link LeaderOnly}.
 *
 * <p>In methods that return a future or a publisher they are there until the method returns, not
 * while the future or the publisher is at work.
 */
public final class Holds {

  private Holds() {}

  /** Returns the innermost hold; empty outside of annotated methods. */
  public static Optional<Hold> current() {
    return HoldChain.all().stream().findFirst().map(HeldLock::hold);
  }

  /** Returns all holds, innermost first. */
  public static List<Hold> all() {
    return HoldChain.all().stream().map(HeldLock::hold).distinct().toList();
  }

  /**
   * Returns the innermost hold, or fails: for code that must not run unguarded. The annotation has
   * no effect when a method is called from within its own class, on an object that is not a bean,
   * or in a test slice without Holdfast.
   *
   * @throws IllegalStateException when the thread holds nothing
   * @throws io.holdfast.LockLostException when the hold was lost
   */
  public static Hold require() {
    Hold hold =
        current()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "this code runs without a lock: the annotated method was not called"
                            + " through its bean, or Holdfast is not configured here"));
    hold.ensureHeld();
    return hold;
  }

  /**
   * Returns the hold of a name, or fails.
   *
   * @throws IllegalStateException when the thread does not hold the name
   * @throws io.holdfast.LockLostException when the hold was lost
   */
  public static Hold require(String name) {
    Hold hold =
        HoldChain.all().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .map(HeldLock::hold)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "this code runs without the lock \""
                            + name
                            + "\"; this thread holds "
                            + HoldChain.all().stream().map(HeldLock::name).toList()));
    hold.ensureHeld();
    return hold;
  }
}
