package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** The hold of a thread in the Java view. Only {@code unlock()} gives it back, by its count. */
final class ThreadOwnedHold implements Hold {

  private final HeldLock hold;

  ThreadOwnedHold(HeldLock hold) {
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
  public void close() {
    throw onlyByUnlock();
  }

  private UnsupportedOperationException onlyByUnlock() {
    return new UnsupportedOperationException(
        "the hold of " + name() + " belongs to a Java lock; give it back with its unlock()");
  }

  @Override
  public String toString() {
    return hold.toString();
  }
}
