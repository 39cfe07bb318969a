package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many threads of one or two clients on one name, in real time: one at a time, tokens rise. */
@Timeout(120)
class LocalThreadsTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  private final World world = World.system();
  private int inside;
  private int holds;
  private long last;

  private void enter(Hold hold) {
    if (++inside != 1 || hold.token() <= last || !hold.isHeld()) {
      throw new AssertionError("inside " + inside + ", " + hold.token() + " after " + last);
    }
    last = hold.token();
    holds++;
    inside--;
  }

  private Void loop(Holdfast client, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      try (Hold hold = client.lock("hot").acquire(LONG)) {
        enter(hold);
      }
    }
    return null;
  }

  @ParameterizedTest
  @CsvSource({"ANY,false,20000", "ANY,true,20000", "FIFO,false,1000", "FIFO,true,500"})
  void manyThreadsOfOneClientAreInOneAtATime(Order order, boolean lanes, int times)
      throws Exception {
    ScriptedEngine scripted = ScriptedEngine.on(world);
    ScriptedEngine engine = lanes ? scripted.blocking(2, 100) : scripted;
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withOrder(order);
    try (Holdfast holdfast = Holdfast.open(engine, options, world)) {
      run(times, holdfast, holdfast, holdfast, holdfast);
    }
    assertThat(holds).isEqualTo(4 * times);
    assertThat(engine.lines()).isEmpty();
    int attempts = engine.count(ScriptedEngine.Kind.ATTEMPT);
    System.out.printf("%s: %d holds, %d attempts%n", order, holds, attempts);
    if (order == Order.ANY) {
      assertThat(attempts).isLessThan(holds);
    }
  }

  @ParameterizedTest
  @CsvSource({"ANY,false", "ANY,true", "FIFO,false", "FIFO,true"})
  void threadsOfTwoClientsAreInOneAtATime(Order order, boolean lanes) throws Exception {
    ScriptedEngine scripted = ScriptedEngine.on(world);
    ScriptedEngine engine = lanes ? scripted.blocking(2, 100) : scripted;
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withOrder(order);
    try (Holdfast one = Holdfast.open(engine, options, world);
        Holdfast other = Holdfast.open(engine.rival(), options, world)) {
      run(500, one, one, other, other);
    }
    assertThat(holds).isEqualTo(2_000);
    assertThat(engine.lines()).isEmpty();
  }

  private void run(int times, Holdfast... clients) {
    List<Caller<Void>> callers = new ArrayList<>();
    for (Holdfast client : clients) {
      callers.add(Caller.start(() -> loop(client, times)));
    }
    callers.forEach(Caller::result);
  }

  @Test
  void aParkedThreadIsHandedTheMutexWithoutAStoreCall() throws Exception {
    TestWorld still = new TestWorld();
    ScriptedEngine engine = ScriptedEngine.on(still);
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, still);
    Hold first = holdfast.lock("a").tryAcquire().orElseThrow();
    Caller<Hold> waiting = Caller.start(() -> holdfast.lock("a").acquire(LONG));
    still.awaitParked(waiting.thread());
    int calls = engine.calls().size();
    first.release();
    assertThat(waiting.result().token()).isEqualTo(first.token() + 1);
    assertThat(engine.calls()).hasSize(calls);
  }

  @Test
  void theLongestWaiterIsServedAfterATurnOfAMillisecond() throws Exception {
    TestWorld still = new TestWorld();
    ScriptedEngine engine = ScriptedEngine.on(still);
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, still);
    Hold first = holdfast.lock("a").tryAcquire().orElseThrow();
    List<Caller<Hold>> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Caller<Hold> caller = Caller.start(() -> holdfast.lock("a").acquire(LONG));
      still.awaitParked(caller.thread());
      waiting.add(caller);
    }
    still.advanceMillis(1);
    first.release();
    for (Caller<Hold> caller : waiting) {
      Hold hold = caller.result();
      assertThat(hold.isHeld()).isTrue();
      still.advanceMillis(1);
      hold.release();
    }
    assertThat(engine.lines()).isEmpty();
  }

  @Test
  void memoryNeedsNoTrickToBeShared() throws Exception {
    MemoryEngine engine = MemoryEngine.create(world::nanoTime, world::epochMicros);
    try (Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS)) {
      run(5_000, holdfast, holdfast);
    }
    assertThat(holds).isEqualTo(10_000);
  }
}
