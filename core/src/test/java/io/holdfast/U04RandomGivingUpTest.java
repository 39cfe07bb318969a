package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.runtime.client.Client;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.LockEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * U04. A thousand rounds of callers that give up at random moments in real time.
 *
 * <p>At the end the store is empty, no two rivals held at once, and every caller got a result.
 */
@Timeout(120)
class U04RandomGivingUpTest {

  private static final int ROUNDS = 1_000;
  private static final int CALLERS = 4;

  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger holds = new AtomicInteger();
  private final AtomicInteger empty = new AtomicInteger();

  @ParameterizedTest
  @CsvSource({"ANY,false", "ANY,true", "FIFO,false", "FIFO,true", "WRITE,true"})
  void aThousandRoundsOfInterruptsCancelsAndTimeoutsLeaveNothing(Primitive primitive, boolean lanes)
      throws Exception {
    World world = World.system();
    MemoryEngine memory = MemoryEngine.create(world::nanoTime, world::epochMicros);
    ScriptedEngine scripted = ScriptedEngine.on(world).blocking(2, 100);
    LockEngine engine = lanes ? scripted : memory;
    Client client = Client.open(engine, HoldfastOptions.DEFAULTS, world);
    DistributedLock door = primitive.of(client.view(client.options()), "door");
    SplittableRandom random = new SplittableRandom(4711);
    for (int i = 0; i < ROUNDS; i++) {
      round(door, random);
    }
    EngineInspector inspector = engine.inspector().orElseThrow();
    Await.until("the store is empty", () -> isEmpty(inspector));
    Optional<Hold> next = door.tryAcquire();
    assertThat(next).isPresent();
    assertThat(next.get().release()).isEqualTo(Outcome.RELEASED);
    Await.until("the local line is gone", () -> client.localLines().size() == 0);
    assertThat(client.renewals().size()).isZero();
    assertThat(client.waiting()).isEmpty();
    client.close(Duration.ofSeconds(1));
    System.out.printf("%s: %d holds, %d gave up%n", primitive, holds.get(), empty.get());
    assertThat(holds.get()).isPositive();
    assertThat(empty.get()).isPositive();
  }

  private static boolean isEmpty(EngineInspector inspector) {
    try {
      return inspector.list("default", "", "", 10).isEmpty();
    } catch (io.holdfast.spi.EngineException e) {
      throw new AssertionError(e);
    }
  }

  private void round(DistributedLock door, SplittableRandom random) throws Exception {
    List<Caller<Void>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      long wait = random.nextLong(400_000);
      boolean async = random.nextInt(4) == 0;
      callers.add(Caller.start(() -> async ? cancelling(door, wait) : blocking(door, wait)));
    }
    LockSupport.parkNanos(random.nextLong(100_000));
    for (Caller<Void> caller : callers) {
      if (random.nextBoolean()) {
        caller.thread().interrupt();
      }
    }
    for (Caller<Void> caller : callers) {
      if (caller.failure() != null) {
        throw new AssertionError("a caller failed", caller.failure());
      }
    }
  }

  private Void blocking(DistributedLock door, long wait) {
    try {
      Optional<Hold> hold = door.tryAcquire(Duration.ofNanos(wait));
      if (hold.isPresent()) {
        inside(hold.get());
      } else {
        empty.incrementAndGet();
      }
    } catch (InterruptedException | OutcomeUnknownException | StoreUnavailableException e) {
      empty.incrementAndGet();
    }
    return null;
  }

  private Void cancelling(DistributedLock door, long wait) throws Exception {
    CompletableFuture<Hold> asked = door.acquireAsync(Duration.ofSeconds(10));
    LockSupport.parkNanos(wait);
    if (asked.cancel(true)) {
      empty.incrementAndGet();
    } else if (!asked.isCompletedExceptionally()) {
      inside(asked.join());
    }
    return null;
  }

  private void inside(Hold hold) {
    assertThat(inside.incrementAndGet()).isEqualTo(1);
    holds.incrementAndGet();
    assertThat(hold.isHeld()).isTrue();
    inside.decrementAndGet();
    assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
  }
}
