package io.holdfast;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The end of a client, in order: no new grants; waiting ends; holds are over for their holders;
 * callbacks finish; every claim leaves on its own; connections close last.
 */
final class Closing {

  private static final Duration LONGEST_GRACE = Duration.ofDays(365);

  private final Client client;
  private final AtomicBoolean closing = new AtomicBoolean();
  private volatile boolean over;

  /** When callbacks had their grace and only leaving was left to do, if it came to that. */
  private volatile @Nullable Long leavingSince;

  Closing(Client client) {
    this.client = client;
  }

  boolean isClosing() {
    return closing.get();
  }

  boolean isOver() {
    return over;
  }

  /**
   * Whether a leave that was not done is not tried again, as the next try would be in so many
   * nanoseconds: a store that says for an operation timeout that it is away is not waited for.
   */
  boolean isLeftBehindAfter(long nanos) {
    Long since = leavingSince;
    long most = client.options().operationTimeout().toNanos();
    return since != null && client.world().nanoTime() + nanos - since > most;
  }

  void close(Duration grace) {
    if (grace.isNegative()) {
      throw new IllegalArgumentException("grace must not be negative: grace=" + grace);
    }
    long nanos = grace.compareTo(LONGEST_GRACE) > 0 ? LONGEST_GRACE.toNanos() : grace.toNanos();
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    client.localLines().close();
    client.waiting().forEach(Direct::close);
    List<Claim> held = new ArrayList<>();
    client.renewals().forEach(held::add);
    for (Claim claim : held) {
      Tenure tenure = claim.tenure();
      if (tenure != null) {
        tenure.lose(Loss.Cause.CLOSED, "the client was closed");
      }
    }
    client.callbacks().awaitIdle(nanos);
    // Whoever passed the door before it closed may have come in since.
    client.localLines().close();
    client.waiting().forEach(Direct::close);
    client.renewals().forEach(claim -> client.lose(claim, Loss.Cause.CLOSED, "client closed"));
    leavingSince = client.world().nanoTime();
    // One operation may be under way on the lane, and the leave comes behind it.
    client.leaver().awaitIdle(2 * client.options().operationTimeout().toNanos());
    over = true;
    client.lane().close();
    client.engine().close();
  }
}
