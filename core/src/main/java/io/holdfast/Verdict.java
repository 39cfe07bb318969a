package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How the end of a wait is told: the last word from the store decides. */
final class Verdict {

  private Verdict() {}

  /** The time is up. Busy only if the store said so; otherwise that it said nothing, or doubt. */
  static Waiter.Result onTimeout(Request request, Word word) {
    if (word.saysBusy()) {
      return new Waiter.Result.Busy(word);
    }
    EngineException failure = word.failure();
    boolean notDone = failure instanceof EngineException.NotDone && !word.doubtful();
    if (word.attempts() == 0 || notDone) {
      return new Waiter.Result.Failed(
          new StoreUnavailableException(
              text("no word from the store in time", request, word)
                  + "; nothing is held; unless the wait was very short, check that it is up",
              failure));
    }
    return new Waiter.Result.Failed(
        new OutcomeUnknownException(
            text("attempt has no answer", request, word)
                + "; nothing is held; what it may have left is taken out in the background",
            failure));
  }

  static LockTimeoutException timeout(Request request, Word word) {
    Standing.Waiting busy = word.busy();
    Standing.@Nullable Holder holder = busy == null ? null : busy.holder().orElse(null);
    return new LockTimeoutException(
        text("busy", request, word) + (holder == null ? "" : "; held by " + holder),
        holder == null ? null : holder.owner());
  }

  static Waiter.Result refused(Request request, EngineException refusal) {
    return new Waiter.Result.Failed(
        new LockRefusedException(
            refusal.getMessage()
                + " (asked for "
                + request.resource()
                + " at "
                + store(request)
                + ")",
            refusal));
  }

  static Waiter.Result closed(Request request) {
    return new Waiter.Result.Failed(
        new HoldfastClosedException(
            "client of " + store(request) + " was closed while waiting for " + request.resource(),
            null));
  }

  private static String text(String what, Request request, Word word) {
    return String.format(
        Locale.ROOT,
        "%s: %s at %s, waited %d ms, %d attempts%s",
        what,
        request.resource(),
        store(request),
        request.waited().toMillis(),
        word.attempts(),
        word.failure() == null ? "" : ", last: " + word.failure().getMessage());
  }

  private static String store(Request request) {
    return request.client().store();
  }

  static HoldfastListener.Why why(Waiter.Result result) {
    if (result instanceof Waiter.Result.Failed failed) {
      HoldfastException failure = failed.failure();
      if (failure instanceof StoreUnavailableException) {
        return HoldfastListener.Why.UNAVAILABLE;
      } else if (failure instanceof OutcomeUnknownException) {
        return HoldfastListener.Why.UNKNOWN;
      } else if (failure instanceof HoldfastClosedException) {
        return HoldfastListener.Why.CLOSED;
      } else if (failure instanceof OverloadedException) {
        return HoldfastListener.Why.OVERLOADED;
      }
      return HoldfastListener.Why.REFUSED;
    }
    return result instanceof Waiter.Result.GaveUp
        ? HoldfastListener.Why.CANCELLED
        : HoldfastListener.Why.BUSY;
  }
}
