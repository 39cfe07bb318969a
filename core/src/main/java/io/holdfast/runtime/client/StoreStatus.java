package io.holdfast.runtime.client;

import io.holdfast.World;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the store replies: its last reply or failure, and when. Thread-safe. */
public final class StoreStatus {

  private static final long FRESH = 5_000_000_000L;
  private static final long COARSE = 100_000_000L;

  private final World world;
  private volatile long heardAt;
  private volatile boolean everHeard;
  private volatile @Nullable EngineException failure;

  StoreStatus(World world) {
    this.world = world;
  }

  /** The store replied. Coarse on purpose: a hot path must not share a cache line for it. */
  public void heard(long now) {
    if (failure == null && everHeard && now - heardAt < COARSE) {
      return;
    }
    heardAt = now;
    everHeard = true;
    failure = null;
  }

  /** The store replied at a time that matters only after a failure. */
  public void heard() {
    if (failure != null || !everHeard) {
      heard(world.nanoTime());
    }
  }

  public void failed(EngineException why) {
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
