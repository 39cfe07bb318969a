package io.holdfast.runtime.acquire;

import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.runtime.hold.HoldState;
import java.time.Duration;
import java.util.function.Consumer;

/** Ends a hold, through the local line of its client or directly in the store. */
public interface ReleaseRoute {

  /**
   * Releases the claim of a hold, or hands it over.
   *
   * @param done receives {@link Outcome#RELEASED}, {@link Outcome#LOST} when the store did not know
   *     the claim any more, or {@link Outcome#UNKNOWN}
   */
  void release(HoldState holdState, Consumer<Outcome> done);

  /**
   * Ends a hold whose resource stays taken in the store for a time. Nothing is handed over.
   *
   * @param done as for {@link #release}
   */
  void keep(HoldState holdState, Duration keepFor, Consumer<Outcome> done);

  /** The claim ended without a release; called once. */
  void lost(Claim claim, Loss.Cause cause, String reason);
}
