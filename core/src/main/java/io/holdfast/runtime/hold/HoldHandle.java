package io.holdfast.runtime.hold;

import io.holdfast.Hold;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockLostException;
import io.holdfast.LockRefusedException;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.StoreUnavailableException;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.lane.BlockingReply;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.support.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The handle that users receive for a hold. */
public final class HoldHandle implements Hold {

  private static final Duration LONGEST_KEEP = Duration.ofDays(365);

  private final Client client;
  private final HoldState holdState;
  private volatile boolean lossTold;

  HoldHandle(HoldState holdState) {
    this.holdState = holdState;
    this.client = holdState.request().client();
  }

  public HoldState holdState() {
    return holdState;
  }

  @Override
  public String id() {
    return holdState.id();
  }

  @Override
  public String namespace() {
    return holdState.request().resource().namespace();
  }

  @Override
  public String name() {
    return holdState.name();
  }

  @Override
  public long token() {
    return holdState.token();
  }

  @Override
  public boolean isHeld() {
    return holdState.isHeld();
  }

  @Override
  public Duration remaining() {
    return isHeld() ? Duration.ofNanos(Math.max(0, holdState.claim().remaining())) : Duration.ZERO;
  }

  @Override
  public void ensureHeld() {
    if (isHeld()) {
      return;
    }
    holdState.loseIfExpired();
    Loss loss = holdState.loss();
    if (loss != null) {
      lossTold = true;
      throw new LockLostException(loss);
    }
    if (holdState.isOver()) {
      throw new IllegalStateException("hold was released: " + name());
    }
    // The clocks raise a doubt, as after a suspension; a renewal may still clear it.
    String why = "the host's clocks jumped, name " + name() + " at " + client.store();
    throw new LockLostException(new Loss(Loss.Cause.EXPIRED, name(), token(), why));
  }

  @Override
  public Optional<Loss> loss() {
    return Optional.ofNullable(holdState.loss());
  }

  @Override
  public void onLoss(Consumer<Loss> callback) {
    holdState.onLoss(callback);
  }

  @Override
  public void onExpiring(Duration lead, Runnable callback) {
    long nanos = lead.toNanos();
    long lease = holdState.claim().terms().lease();
    if (nanos <= 0 || nanos > lease / 2) {
      throw new IllegalArgumentException(
          "lead must be positive and at most half of the lease: lead=" + DurationText.of(lead));
    }
    new ExpiryWarning(client, holdState, nanos, callback).watch();
  }

  @Override
  public Duration extend(Duration lease) {
    if (!holdState.claim().terms().fixed()) {
      throw new IllegalStateException(
          "the lease of "
              + name()
              + " is renewed while it is held; only fixed leases are extended");
    }
    HoldfastOptions checked = holdState.view().options().withFixedLease(lease);
    ensureHeld();
    BlockingReply<Renewal> reply = new BlockingReply<>(client.world());
    Duration stored = checked.lease().plus(checked.lockDelay());
    holdState.claim().extend(stored, reply);
    Renewal renewal = reply.await();
    if (renewal instanceof Renewal.Gone gone) {
      client.renewals().gone(holdState.claim(), gone);
    } else if (renewal == null) {
      throw new StoreUnavailableException(
          "no reply to the extension of "
              + name()
              + " at "
              + client.store()
              + "; at least the old lease stands",
          reply.failure());
    }
    client.renewals().soon(holdState.claim());
    ensureHeld();
    return remaining();
  }

  @Override
  public Outcome release() {
    Outcome outcome = give();
    lossTold |= outcome == Outcome.LOST;
    return outcome;
  }

  @Override
  public CompletableFuture<Outcome> releaseAsync() {
    CompletableFuture<Outcome> future = new CompletableFuture<>();
    holdState.release(
        outcome -> {
          lossTold |= outcome == Outcome.LOST;
          client.call(() -> future.complete(outcome));
        });
    return future;
  }

  @Override
  public Outcome release(Duration keepFor) {
    if (keepFor.isNegative() || keepFor.compareTo(LONGEST_KEEP) > 0) {
      throw new IllegalArgumentException(
          "keepFor must be 0 to 365 days: keepFor=" + DurationText.of(keepFor));
    }
    if (keepFor.isZero()) {
      return release();
    }
    requireKeepable();
    BlockingReply<Outcome> reply = new BlockingReply<>(client.world());
    holdState.releaseAndKeep(keepFor, reply);
    Outcome outcome = reply.await();
    lossTold |= outcome == Outcome.LOST;
    return outcome == null ? Outcome.UNKNOWN : outcome;
  }

  private void requireKeepable() {
    Shape shape = holdState.claim().ticket().shape();
    String why =
        shape.kind() != Shape.Kind.MUTEX
            ? "it is a " + shape + ", and only mutexes can be kept"
            : !client.traits().keeps() ? "this store cannot keep a name without a client" : "";
    if (!why.isEmpty()) {
      throw new LockRefusedException(
          holdState.request().resource()
              + " at "
              + client.store()
              + " cannot stay taken after its release: "
              + why
              + "; the hold stands, release it with release()",
          null);
    }
  }

  private Outcome give() {
    BlockingReply<Outcome> reply = new BlockingReply<>(client.world());
    holdState.release(reply);
    Outcome outcome = reply.await();
    return outcome == null ? Outcome.UNKNOWN : outcome;
  }

  @Override
  public void close() {
    boolean knewBefore = lossTold;
    Outcome outcome = give();
    if (outcome == Outcome.UNKNOWN) {
      client.log(
          System.Logger.Level.WARNING,
          "release of "
              + name()
              + " got no reply from "
              + client.store()
              + "; it is retried in the background until "
              + (client.traits().sessionLease().isPresent()
                  ? "the store replies"
                  : "its lease ends"));
    }
    Loss loss = holdState.loss();
    if (outcome == Outcome.LOST && loss != null && !knewBefore) {
      lossTold = true;
      throw new LockLostException(loss);
    }
  }

  @Override
  public String toString() {
    return "Hold[" + name() + ", token " + token() + "]";
  }
}
