package io.holdfast;

import io.holdfast.spi.Renewal;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** The handle that users get. */
final class HeldLock implements Hold {

  private final Client client;
  private final Tenure tenure;
  private volatile boolean lossTold;

  HeldLock(Tenure tenure) {
    this.tenure = tenure;
    this.client = tenure.request().client();
  }

  Tenure tenure() {
    return tenure;
  }

  @Override
  public String id() {
    return tenure.id();
  }

  @Override
  public String namespace() {
    return tenure.request().resource().namespace();
  }

  @Override
  public String name() {
    return tenure.name();
  }

  @Override
  public long token() {
    return tenure.token();
  }

  @Override
  public boolean isHeld() {
    return tenure.isHeld();
  }

  @Override
  public Duration remaining() {
    return isHeld() ? Duration.ofNanos(Math.max(0, tenure.claim().remaining())) : Duration.ZERO;
  }

  @Override
  public void ensureHeld() {
    if (isHeld()) {
      return;
    }
    tenure.loseIfExpired();
    Loss loss = tenure.loss();
    if (loss != null) {
      lossTold = true;
      throw new LockLostException(loss);
    }
    if (tenure.isOver()) {
      throw new IllegalStateException("hold was released: " + name());
    }
    // The clocks cast doubt, as after a suspension; a renewal may still clear it.
    String why = "the host's clocks jumped, name " + name() + " at " + client.store();
    throw new LockLostException(new Loss(Loss.Cause.EXPIRED, name(), token(), why));
  }

  @Override
  public Optional<Loss> loss() {
    return Optional.ofNullable(tenure.loss());
  }

  @Override
  public void onLoss(Consumer<Loss> callback) {
    tenure.onLoss(callback);
  }

  @Override
  public void onExpiring(Duration lead, Runnable callback) {
    long nanos = lead.toNanos();
    long lease = tenure.claim().terms().lease();
    if (nanos <= 0 || nanos > lease / 2) {
      throw new IllegalArgumentException(
          "lead must be positive and at most half of the lease: lead=" + lead);
    }
    new Expiring(client, tenure, nanos, callback).watch();
  }

  @Override
  public Duration extend(Duration lease) {
    if (!tenure.claim().terms().fixed()) {
      throw new IllegalStateException(
          "the lease of "
              + name()
              + " is renewed while it is held; only fixed leases are extended");
    }
    HoldfastOptions checked = tenure.view().options().withFixedLease(lease);
    ensureHeld();
    Answered<Renewal> answered = new Answered<>(client.world());
    Duration stored = checked.lease().plus(checked.lockDelay());
    tenure.claim().extend(stored, answered);
    Renewal renewal = answered.await();
    if (renewal instanceof Renewal.Gone gone) {
      client.renewals().gone(tenure.claim(), gone);
    } else if (renewal == null) {
      throw new StoreUnavailableException(
          "no answer to extending "
              + name()
              + " at "
              + client.store()
              + "; the old lease stands, at least",
          answered.failure());
    }
    client.renewals().soon(tenure.claim());
    ensureHeld();
    return remaining();
  }

  @Override
  public Outcome release() {
    Outcome outcome = give();
    lossTold |= outcome == Outcome.LOST;
    return outcome;
  }

  private Outcome give() {
    Answered<Outcome> answered = new Answered<>(client.world());
    tenure.release(answered);
    Outcome outcome = answered.await();
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
              + " had no answer from "
              + client.store()
              + "; freeing it goes on in the background until "
              + (client.traits().sessionLease().isPresent()
                  ? "the store has answered"
                  : "its lease ends"));
    }
    Loss loss = tenure.loss();
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
