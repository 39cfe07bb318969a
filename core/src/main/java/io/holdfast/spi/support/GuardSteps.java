package io.holdfast.spi.support;

import io.holdfast.LockRefusedException;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.EngineException;

/**
 * Runs the steps of a {@link io.holdfast.FenceGuard} and maps the failures of its store.
 *
 * <p>Callers get the same exceptions with the same words for every store.
 *
 * <p>A step that finds a later claim throws {@link io.holdfast.StaleTokenException} itself. That
 * and all other unchecked exceptions pass through unchanged.
 */
public final class GuardSteps {

  /** A check of a token that writes no data of the program. */
  @FunctionalInterface
  public interface Check {

    /** Claims or admits once. */
    void run() throws EngineException;
  }

  /**
   * A check of a token together with a write, in one atomic step.
   *
   * @param <T> what the write returns
   */
  @FunctionalInterface
  public interface Write<T> {

    /** Claims or admits, and writes. */
    T run() throws EngineException;
  }

  private GuardSteps() {}

  /**
   * Checks that a hold can have this token: zero stands for no claim.
   *
   * @throws IllegalArgumentException when the token is below 1
   */
  public static void requireToken(long token) {
    if (token < 1) {
      throw new IllegalArgumentException("token must be >= 1: token=" + token);
    }
  }

  /**
   * Runs a claim or an admission. A check may be repeated, so it does not matter whether a failed
   * one was executed.
   *
   * @param resource its name, for messages
   * @throws LockRefusedException when the store refused
   * @throws StoreUnavailableException when the store did not reply
   */
  public static void check(String resource, Check step) {
    try {
      step.run();
    } catch (EngineException.Refused e) {
      throw refused(resource, e);
    } catch (EngineException e) {
      throw new StoreUnavailableException(unheard(resource, e) + "; write nothing", e);
    }
  }

  /**
   * Runs a guarded write. It is never repeated here, because a failed one may have been executed.
   *
   * @param resource its name, for messages
   * @return what the write returned
   * @throws LockRefusedException when the store refused
   * @throws StoreUnavailableException when the write was surely not executed
   * @throws OutcomeUnknownException when it is not known whether the write was executed
   */
  public static <T> T write(String resource, Write<T> step) {
    try {
      return step.run();
    } catch (EngineException.Refused e) {
      throw refused(resource, e);
    } catch (EngineException.NotDone e) {
      throw new StoreUnavailableException(unheard(resource, e) + "; nothing was written", e);
    } catch (EngineException e) {
      throw new OutcomeUnknownException(
          unheard(resource, e) + "; it may have been written: check before writing again", e);
    }
  }

  private static LockRefusedException refused(String resource, EngineException why) {
    return new LockRefusedException(
        "the guard of " + resource + " refused: " + why.getMessage(), why);
  }

  private static String unheard(String resource, EngineException why) {
    return "the guard of " + resource + " got no reply: " + why.getMessage();
  }
}
