package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.runtime.client.Client;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U30. Names that were used once cost nothing afterwards, and names never wait for each other. */
class U30NothingStaysBehindTest {

  private static final int NAMES = 1_000_000;
  private static final int PAIRS = 100_000;
  private static final long SLACK = 5_000_000;

  private final TestWorld world = new TestWorld().drive();
  private final MemoryEngine engine = MemoryEngine.create(world::nanoTime, world::epochMicros);

  private static long usedHeap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void aMillionNamesUsedOnceLeaveTheHeapFlatAndEveryMapEmpty(Order order) throws Exception {
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS.withOrder(order), world);
    use(holdfast, "warm-up-", 20_000);
    long before = usedHeap();
    use(holdfast, "name-", NAMES);
    long after = usedHeap();
    System.out.printf("%s: %d names, heap %+d kB%n", order, NAMES, (after - before) / 1024);
    assertThat(after - before).isLessThan(SLACK);
    Client client = RuntimeInternals.client(holdfast);
    assertThat(client.localLines().size()).isZero();
    assertThat(client.renewals().size()).isZero();
    assertThat(client.waiting()).isEmpty();
    assertThat(RuntimeInternals.linesInStore(engine)).isEmpty();
    world.advance(Duration.ofSeconds(1));
    assertThat(world.pendingTimers()).isZero();
  }

  private void use(Holdfast holdfast, String prefix, int count) throws InterruptedException {
    Duration step = Duration.ofNanos(10_000);
    for (int i = 0; i < count; i++) {
      holdfast.lock(prefix + i).tryAcquire().orElseThrow().release();
      world.advance(step);
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void twoDifferentNamesNeverWaitForEachOther(Order order) throws Exception {
    Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS.withOrder(order), world);
    SplittableRandom random = new SplittableRandom(30);
    for (int i = 0; i < PAIRS; i++) {
      String one = name(random);
      String other = name(random);
      if (!one.equals(other)) {
        requireNotToWait(holdfast, one, other);
      }
    }
    assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
    requireNotToWait(holdfast, "Aa", "BB");
    requireNotToWait(holdfast, "AaAa", "BBBB");
    requireNotToWait(holdfast, "0", "641");
    assertThat(RuntimeInternals.linesInStore(engine)).isEmpty();
  }

  private static String name(SplittableRandom random) {
    return random.nextBoolean()
        ? Integer.toString(random.nextInt(10_000))
        : Long.toString(random.nextLong(), 36);
  }

  private static void requireNotToWait(Holdfast holdfast, String one, String other)
      throws InterruptedException {
    Hold first = holdfast.lock(one).tryAcquire().orElseThrow();
    Hold second = holdfast.lock(other).tryAcquire().orElseThrow();
    second.release();
    first.release();
  }

  @Test
  void namesThatTimedOutOrWereCancelledLeaveNothingEither() throws Exception {
    Holdfast holder = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);
    Holdfast waiter = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);
    for (int i = 0; i < 1_000; i++) {
      Hold hold = holder.lock("n" + i).tryAcquire().orElseThrow();
      assertThat(waiter.lock("n" + i).tryAcquire(Duration.ofMillis(5))).isEmpty();
      hold.release();
    }
    Client client = RuntimeInternals.client(waiter);
    assertThat(client.localLines().size()).isZero();
    assertThat(List.of(client.renewals().size(), client.waiting().size())).containsOnly(0);
    assertThat(RuntimeInternals.linesInStore(engine)).isEmpty();
  }
}
