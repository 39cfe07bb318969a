package io.holdfast;

import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the store is heard of: what its last word was and when. Any thread may use it. */
final class Pulse {

  private static final long FRESH = 5_000_000_000L;
  private static final long COARSE = 100_000_000L;

  private final World world;
  private volatile long heardAt;
  private volatile boolean everHeard;
  private volatile @Nullable EngineException failure;

  Pulse(World world) {
    this.world = world;
  }

  /** The store answered. Coarse on purpose: a hot path must not share a cache line for it. */
  void heard(long now) {
    if (failure == null && everHeard && now - heardAt < COARSE) {
      return;
    }
    heardAt = now;
    everHeard = true;
    failure = null;
  }

  /** The store answered at a time that matters only after a failure. */
  void heard() {
    if (failure != null || !everHeard) {
      heard(world.nanoTime());
    }
  }

  void failed(EngineException why) {
    failure = why;
  }

  boolean isFresh() {
    return everHeard && failure == null && world.nanoTime() - heardAt < FRESH;
  }

  boolean isWell() {
    return everHeard && failure == null;
  }

  @Nullable EngineException failure() {
    return failure;
  }

  Optional<Duration> lastAnswer() {
    return everHeard ? Optional.of(Duration.ofNanos(world.nanoTime() - heardAt)) : Optional.empty();
  }
}
