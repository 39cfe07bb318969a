package io.holdfast.runtime.client;

import io.holdfast.Loss;
import io.holdfast.runtime.acquire.Claim;
import io.holdfast.runtime.acquire.DirectAcquire;
import io.holdfast.runtime.hold.HoldState;
import io.holdfast.spi.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Closes a client in order.
 *
 * <p>No new grants; waits end; holds end for their holders; callbacks finish; every claim leaves;
 * connections close last.
 */
final class ClientShutdown {

  private static final Duration LONGEST_GRACE = Duration.ofDays(365);

  private final Client client;
  private final AtomicBoolean closing = new AtomicBoolean();
  private volatile boolean draining;
  private volatile boolean over;

  /** When the grace of callbacks ended and only leaves remained; zero before that. */
  private volatile @Nullable Long leavingSince;

  ClientShutdown(Client client) {
    this.client = client;
  }

  boolean isClosing() {
    return closing.get();
  }

  /** Returns whether no new acquire is admitted. */
  boolean isDraining() {
    return draining || closing.get();
  }

  /** Ends what waits, and waits until nothing is held; returns whether nothing is. */
  boolean drain(Duration atMost) {
    if (atMost.isNegative()) {
      throw new IllegalArgumentException("atMost must not be negative: atMost=" + atMost);
    }
    // A caller that was admitted before this is either seen below, or sees it when it joins.
    draining = true;
    endWaits();
    return client.renewals().awaitNone(nanos(atMost));
  }

  private void endWaits() {
    client.localLines().close();
    client.waiting().forEach(DirectAcquire::close);
  }

  private static long nanos(Duration time) {
    return time.compareTo(LONGEST_GRACE) > 0 ? LONGEST_GRACE.toNanos() : time.toNanos();
  }

  boolean isOver() {
    return over;
  }

  /**
   * Returns whether a failed leave is not retried, given the delay of the next try in nanoseconds:
   * a store that has been unreachable for an operation timeout is not waited for.
   */
  boolean isLeftBehindAfter(long nanos) {
    Long since = leavingSince;
    long most = client.options().operationTimeout().toNanos();
    return since != null && client.world().nanoTime() + nanos - since > most;
  }

  void close(Duration grace) {
    if (grace.isNegative()) {
      throw new IllegalArgumentException(
          "grace must not be negative: grace=" + DurationText.of(grace));
    }
    long nanos = nanos(grace);
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    endWaits();
    List<Claim> held = new ArrayList<>();
    client.renewals().forEach(held::add);
    for (Claim claim : held) {
      HoldState holdState = claim.holdState();
      if (holdState != null) {
        holdState.lose(Loss.Cause.CLOSED, "the client was closed");
      }
    }
    client.callbacks().awaitIdle(nanos);
    // A caller that was admitted before the close may have joined since.
    endWaits();
    client.renewals().forEach(claim -> client.lose(claim, Loss.Cause.CLOSED, "client closed"));
    leavingSince = client.world().nanoTime();
    // One operation may be under way on the lane, and the leave comes after it.
    client.leaver().awaitIdle(2 * client.options().operationTimeout().toNanos());
    over = true;
    client.lane().close();
    client.engine().close();
  }
}
