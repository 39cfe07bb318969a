package io.holdfast;

import java.util.function.Consumer;

/** Where a hold goes when it ends: the line of its client, or straight out. */
interface Exit {

  /**
   * Gives the claim of a hold that is being released back or on.
   *
   * @param done gets {@link Outcome#RELEASED}, {@link Outcome#LOST} when the store did not know the
   *     claim any more, or {@link Outcome#UNKNOWN}
   */
  void release(Tenure tenure, Consumer<Outcome> done);

  /** The claim is over though nobody released it; called once. */
  void lost(Claim claim, Loss.Cause cause, String reason);
}
