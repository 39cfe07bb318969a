package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** A long line of four clients' waiters stays in order. Each knows the places of all before it. */
final class F04LongLine {

  private static final String NAME = "line";
  private static final int CLIENTS = 4;

  private final FaultFixture fixture;
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final List<Integer> entered = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> tokens = Collections.synchronizedList(new ArrayList<>());

  private F04LongLine(FaultFixture fixture) {
    this.fixture = fixture;
  }

  static void play(FaultFixture fixture) throws Exception {
    new F04LongLine(fixture).play();
  }

  private void play() throws Exception {
    // Long enough that no waiter has to come back on a busy machine.
    Duration lease = fixture.lease().multipliedBy(5);
    List<LocalFaultClient> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(fixture.open(lease));
    }
    FaultClaim held = fixture.take(fixture.open(lease), NAME, Order.FIFO);
    List<CompletableFuture<Void>> passed = new ArrayList<>();
    for (int i = 0; i < fixture.store().longLine(); i++) {
      int place = i;
      LocalFaultClient client = clients.get(i % CLIENTS);
      FaultClaim claim = client.acquire(NAME, Order.FIFO, FaultFixture.LONG);
      passed.add(
          claim
              .granted()
              .thenAcceptAsync(grant -> enter(place, grant, claim), fixture.callbacks()));
      fixture.awaitWaiting(client, NAME, i / CLIENTS + 1);
    }
    long start = fixture.now();
    fixture.release("the hold ahead of the line", held);
    CompletableFuture<Void> all =
        CompletableFuture.allOf(passed.toArray(CompletableFuture<?>[]::new));
    fixture.until(
        passed.size() + " waiters are through",
        fixture.store().handOver().multipliedBy(passed.size()),
        all::isDone);
    long took = fixture.now() - start;
    all.join();
    fixture.figure(
        passed.size()
            + " waiters of "
            + CLIENTS
            + " clients through a line in "
            + took / 1_000_000
            + " ms");
    assertThat(most.get()).as("holders at a time").isEqualTo(1);
    assertThat(entered).as("the order in which waiters joined").isSorted();
    assertThat(tokens).as("tokens").isSorted().doesNotHaveDuplicates();
  }

  private void enter(int place, FaultClaim.Grant grant, FaultClaim claim) {
    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
    entered.add(place);
    tokens.add(grant.token());
    inside.decrementAndGet();
    fixture.release("a hold in line", claim);
  }
}
