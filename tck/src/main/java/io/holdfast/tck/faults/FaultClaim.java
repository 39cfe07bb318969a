package io.holdfast.tck.faults;

import io.holdfast.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One acquire of a {@link FaultClient} and, once granted, its hold. */
public interface FaultClaim {

  /**
   * A grant as the client received it.
   *
   * @param token the fencing token
   * @param holdId {@link io.holdfast.Hold#id()}
   * @param nanos the {@link System#nanoTime()} at which the client had it, or the {@linkplain
   *     FaultStore#time() manual time}; comparable with this JVM's, even if the client is another
   *     process of the same machine
   */
  record Grant(long token, String holdId, long nanos) {}

  /** Completes with the grant, or fails as the acquire did. */
  CompletableFuture<Grant> granted();

  /** {@link io.holdfast.Hold#isHeld()}, asked now; false before the grant. */
  boolean isHeld();

  /** {@link io.holdfast.Hold#remaining()}, asked now; zero before the grant. */
  Duration remaining();

  /** {@link io.holdfast.Hold#release()}. */
  Outcome release();

  /** Whether the hold was lost because its renewals came too late, and not otherwise. */
  boolean hasExpired();

  /** The {@link Grant#nanos() time} of each notification of a loss; empty if there was none. */
  List<Long> losses();
}
