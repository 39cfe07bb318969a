package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Permits: so many at once, in order; the number can be taken over and changed. */
class SemaphoreTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final TestWorld world = new TestWorld().drive();
  private final ScriptedEngine engine = ScriptedEngine.on(world);
  private final Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);

  @Test
  void soManyPermitsAreGivenAndNoMore() throws Exception {
    DistributedSemaphore pool = holdfast.semaphore("pool", 3);
    Hold one = pool.tryAcquire().orElseThrow();
    Hold two = pool.permits(2).tryAcquire().orElseThrow();
    assertThat(pool.tryAcquire()).isEmpty();
    two.release();
    assertThat(pool.permits(3).tryAcquire()).isEmpty();
    assertThat(pool.permits(2).acquire(Duration.ofSeconds(1)).isHeld()).isTrue();
    assertThat(one.isHeld()).isTrue();
    assertThat(pool.name()).isEqualTo("pool");
  }

  @Test
  void aLargeRequestIsNotOvertakenBySmallOnes() throws Exception {
    DistributedSemaphore pool = holdfast.semaphore("pool", 3);
    Hold one = pool.acquire();
    CompletableFuture<Hold> all = pool.permits(3).acquireAsync(LONG);
    CompletableFuture<Hold> small = pool.acquireAsync(LONG);
    assertThat(pool.tryAcquire()).isEmpty();
    one.release();
    world.runCallbacks();
    assertThat(all).isDone();
    assertThat(small).isNotDone();
    all.get().release();
    world.runCallbacks();
    assertThat(small).isDone();
  }

  @Test
  void withoutANumberItAdoptsTheNumberInUse() throws Exception {
    assertThatThrownBy(() -> holdfast.semaphore("pool").tryAcquire())
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContainingAll("\"pool\"", "state a number of permits");
    Hold first = holdfast.semaphore("pool", 2).acquire();
    Hold second = holdfast.semaphore("pool").tryAcquire().orElseThrow();
    assertThat(holdfast.semaphore("pool").tryAcquire()).isEmpty();
    assertThatThrownBy(() -> holdfast.semaphore("pool", 3).tryAcquire())
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContainingAll("semaphore of 2", "semaphore of 3");
    first.release();
    second.release();
  }

  @Test
  void u59AnotherNumberAppliesToWaitersAtOnce() throws Exception {
    DistributedSemaphore pool = holdfast.semaphore("pool", 1);
    Hold one = pool.acquire();
    CompletableFuture<Hold> second = pool.acquireAsync(LONG);
    CompletableFuture<Hold> third = pool.acquireAsync(LONG);
    assertThat(pool.resize(2)).isTrue();
    world.runCallbacks();
    assertThat(second).isDone();
    assertThat(third).isNotDone();
    assertThatThrownBy(() -> holdfast.semaphore("pool", 1).tryAcquire())
        .isInstanceOf(LockRefusedException.class);
    one.release();
    world.runCallbacks();
    assertThat(third).isDone();
  }

  @Test
  void withASmallerNumberHoldersStay() throws Exception {
    DistributedSemaphore pool = holdfast.semaphore("pool", 3);
    Hold one = pool.acquire();
    Hold two = pool.acquire();
    assertThat(pool.resize(1)).isTrue();
    assertThat(one.isHeld() && two.isHeld()).isTrue();
    CompletableFuture<Hold> next = holdfast.semaphore("pool").acquireAsync(LONG);
    one.release();
    world.runCallbacks();
    assertThat(next).isNotDone();
    two.release();
    world.runCallbacks();
    assertThat(next).isDone();
  }

  @Test
  void anEmptyLineCannotBeResized() throws Exception {
    assertThat(holdfast.semaphore("pool", 3).resize(5)).isFalse();
    assertThat(engine.lines()).isEmpty();
  }

  @Test
  void aResizeThatTheStoreRefusesOrDoesNotReplyToIsReported() throws Exception {
    Hold mutex = holdfast.lock("a").acquire();
    assertThatThrownBy(() -> holdfast.semaphore("a", 3).resize(5))
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContainingAll("\"a\"", "memory:", "mutex");
    engine.next(ScriptedEngine.Kind.RESIZE, Faults.answerLost());
    assertThatThrownBy(() -> holdfast.semaphore("pool", 3).resize(5))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("a retry does no harm");
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> holdfast.semaphore("pool", 3).resize(5))
        .isInstanceOf(InterruptedException.class);
    mutex.release();
  }

  @Test
  void numbersOutOfBoundsAreRefusedNamingThem() {
    assertThatThrownBy(() -> holdfast.semaphore("pool", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("permits must be 1..1048576: permits=0");
    assertThatThrownBy(() -> holdfast.semaphore("pool", (1 << 20) + 1))
        .hasMessageContaining("permits=1048577");
    assertThatThrownBy(() -> holdfast.semaphore("pool", 3).permits(4))
        .hasMessage("permits must be 1..3: permits=4 semaphore=pool");
    assertThatThrownBy(() -> holdfast.semaphore("pool", 3).permits(0))
        .hasMessageContaining("permits=0");
    assertThatThrownBy(() -> holdfast.semaphore("pool", 3).resize(0))
        .hasMessageContaining("permits=0");
  }
}
