package io.holdfast.runtime.primitive;

import io.holdfast.Hold;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The hold of a thread in the Java view. Only {@code unlock()} releases it, by its count. */
final class ThreadOwnedHold implements Hold {

  private final HoldHandle hold;

  ThreadOwnedHold(HoldHandle hold) {
    this.hold = hold;
  }

  @Override
  public String id() {
    return hold.id();
  }

  @Override
  public String namespace() {
    return hold.namespace();
  }

  @Override
  public String name() {
    return hold.name();
  }

  @Override
  public long token() {
    return hold.token();
  }

  @Override
  public boolean isHeld() {
    return hold.isHeld();
  }

  @Override
  public Duration remaining() {
    return hold.remaining();
  }

  @Override
  public void ensureHeld() {
    hold.ensureHeld();
  }

  @Override
  public Optional<Loss> loss() {
    return hold.loss();
  }

  @Override
  public void onLoss(Consumer<Loss> callback) {
    hold.onLoss(callback);
  }

  @Override
  public void onExpiring(Duration lead, Runnable callback) {
    hold.onExpiring(lead, callback);
  }

  @Override
  public Duration extend(Duration lease) {
    return hold.extend(lease);
  }

  @Override
  public Outcome release() {
    throw onlyByUnlock();
  }

  @Override
  public Outcome release(Duration keepFor) {
    throw onlyByUnlock();
  }

  @Override
  public CompletableFuture<Outcome> releaseAsync() {
    throw onlyByUnlock();
  }

  @Override
  public void close() {
    throw onlyByUnlock();
  }

  private UnsupportedOperationException onlyByUnlock() {
    return new UnsupportedOperationException(
        "the hold of " + name() + " belongs to a Java lock; release it with its unlock()");
  }

  @Override
  public String toString() {
    return hold.toString();
  }
}
