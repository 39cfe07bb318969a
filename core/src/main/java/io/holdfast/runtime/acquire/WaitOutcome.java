package io.holdfast.runtime.acquire;

import io.holdfast.HoldfastClosedException;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastListener;
import io.holdfast.LockRefusedException;
import io.holdfast.LockTimeoutException;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.OverloadedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Decides how the end of a wait is reported, by the store's last reply. */
public final class WaitOutcome {

  private WaitOutcome() {}

  /** The time is up. Returns busy only if the store said so; otherwise unavailable or unknown. */
  static Waiter.Result onTimeout(AcquireRequest request, StoreReplies replies) {
    if (replies.saysBusy()) {
      return new Waiter.Result.Busy(replies);
    }
    EngineException failure = replies.failure();
    boolean notDone = failure instanceof EngineException.NotDone && !replies.doubtful();
    if (replies.attempts() == 0 || notDone) {
      return new Waiter.Result.Failed(
          new StoreUnavailableException(
              text("the store did not reply in time", request, replies)
                  + "; nothing is held; unless the wait was very short, check that it is up",
              failure));
    }
    return new Waiter.Result.Failed(
        new OutcomeUnknownException(
            text("an attempt got no reply", request, replies)
                + "; nothing is held; what it may have left in the store is removed in the background",
            failure));
  }

  public static LockTimeoutException timeout(AcquireRequest request, StoreReplies replies) {
    Standing.Waiting busy = replies.busy();
    Standing.@Nullable Holder holder = busy == null ? null : busy.holder().orElse(null);
    return new LockTimeoutException(
        text("busy", request, replies) + (holder == null ? "" : "; held by " + holder),
        holder == null ? null : holder.owner());
  }

  static Waiter.Result refused(AcquireRequest request, EngineException refusal) {
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

  static Waiter.Result closed(AcquireRequest request) {
    return new Waiter.Result.Failed(
        new HoldfastClosedException(
            "client of "
                + store(request)
                + (request.client().isClosing() ? " was closed" : " began to drain")
                + " while waiting for "
                + request.resource(),
            null));
  }

  private static String text(String what, AcquireRequest request, StoreReplies replies) {
    return String.format(
        Locale.ROOT,
        "%s: %s at %s, waited %d ms, %d attempts%s",
        what,
        request.resource(),
        store(request),
        request.waited().toMillis(),
        replies.attempts(),
        replies.failure() == null ? "" : ", last: " + replies.failure().getMessage());
  }

  private static String store(AcquireRequest request) {
    return request.client().store();
  }

  public static HoldfastListener.Why why(Waiter.Result result) {
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
