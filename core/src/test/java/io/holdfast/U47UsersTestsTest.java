package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryEngine;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** U47. What a user's own test can do with the engine in memory and a world of its own. */
class U47UsersTestsTest {

  private final TestWorld world = new TestWorld().drive();
  private final MemoryEngine store = MemoryEngine.create(world::nanoTime, world::epochMicros);

  @Test
  void movingTheTimePastALeaseExpiresIt() throws Exception {
    Holdfast one =
        Holdfast.open(
            store, HoldfastOptions.DEFAULTS.withFixedLease(Duration.ofSeconds(30)), world);
    Holdfast other = Holdfast.open(store, HoldfastOptions.DEFAULTS, world);
    Hold hold = one.lock("a").acquire(Duration.ofSeconds(1));
    assertThat(other.lock("a").tryAcquire()).isEmpty();
    world.advance(Duration.ofSeconds(35));
    assertThat(hold.isHeld()).isFalse();
    assertThat(other.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void waitingCostsNoRealTime() throws Exception {
    Holdfast one = Holdfast.open(store, HoldfastOptions.DEFAULTS, world);
    Holdfast other = Holdfast.open(store, HoldfastOptions.DEFAULTS, world);
    Hold hold = one.lock("a").acquire(Duration.ofSeconds(1));
    Duration before = world.elapsed();
    assertThat(other.lock("a").tryAcquire(Duration.ofHours(10))).isEmpty();
    assertThat(world.elapsed().minus(before)).isEqualTo(Duration.ofHours(10));
    assertThat(hold.isHeld()).isTrue();
  }

  @Test
  void aClientInMemoryStartsInMilliseconds() throws Exception {
    try (Holdfast warmUp = Holdfast.connect("memory:")) {
      warmUp.lock("a").acquire(Duration.ofSeconds(1)).release();
    }
    long began = System.nanoTime();
    try (Holdfast holdfast = Holdfast.connect("memory:");
        Hold hold = holdfast.lock("a").acquire(Duration.ofSeconds(1))) {
      assertThat(hold.isHeld()).isTrue();
    }
    long millis = (System.nanoTime() - began) / 1_000_000;
    System.out.println("connect, lock, unlock, close in memory: " + millis + " ms");
    assertThat(millis).isLessThan(5 * 50);
  }

  @Test
  void storesByNameAreSharedAndThoseWithoutAreNot() throws Exception {
    try (Holdfast one = Holdfast.connect("memory:u47");
        Holdfast same = Holdfast.connect("memory:u47");
        Holdfast other = Holdfast.connect("memory:");
        Hold hold = one.lock("a").acquire(Duration.ofSeconds(1))) {
      assertThat(hold.isHeld()).isTrue();
      assertThat(same.lock("a").tryAcquire()).isEmpty();
      try (Hold mine = other.lock("a").acquire(Duration.ofSeconds(1))) {
        assertThat(mine.isHeld()).isTrue();
      }
    }
  }
}
