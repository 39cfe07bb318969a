package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Names that were held, waited for or given up leave nothing in the store. */
final class F11NothingLeftBehind {

  private static final int NAMES = 300;
  private static final int VAIN = 20;

  private F11NothingLeftBehind() {}

  static void play(FaultFixture fixture) throws Exception {
    LocalFaultClient client = fixture.open();
    LocalFaultClient rival = fixture.open();
    Order order = fixture.anyOrder();
    FaultClient dead = fixture.start("dead", Ability.KILL);
    fixture.take(dead, "dead", order);
    FaultClaim awaited = fixture.take(client, "awaited", last(fixture.orders()));
    dead.acquire("awaited", last(fixture.orders()), FaultFixture.LONG);
    if (fixture.orders().contains(Order.FIFO)) {
      fixture.awaitStanding("awaited", 2);
    }
    FaultClaim first = fixture.take(client, "name/first", order);
    fixture.release("a first hold", first);
    long begin = fixture.now();
    List<CompletableFuture<?>> used = new ArrayList<>();
    for (int i = 0; i < NAMES; i++) {
      used.add(use(fixture, client, i));
    }
    waitInVain(fixture, client, rival, order);
    CompletableFuture<Void> all =
        CompletableFuture.allOf(used.toArray(CompletableFuture<?>[]::new));
    fixture.until("all names are used", FaultFixture.LONG, all::isDone);
    all.join();
    long took = fixture.now() - begin;
    dead.kill();
    fixture.release("a hold that a killed client waited for", awaited);
    long end = fixture.now();
    fixture.untilStored(
        "the store is clean",
        fixture.leaseAtMost(),
        () -> fixture.store().leftovers(fixture.namespace()).isEmpty());
    fixture.within(
        NAMES + " names used in " + took / 1_000_000 + " ms, one client killed: store clean",
        fixture.now() - end,
        fixture.leaseAtMost());
    FaultClaim again = fixture.take(rival, "dead", order);
    assertThat(fixture.store().leftovers(fixture.namespace()))
        .as("what the harness sees of a held lock")
        .isNotEmpty();
    fixture.release("the last hold", again);
    FaultClaim later = fixture.take(rival, "name/first", order);
    assertThat(later.granted().join().token())
        .as("the token of a name of which nothing was left")
        .isGreaterThan(first.granted().join().token());
    fixture.release("the hold of a name that was used before", later);
  }

  /** FIFO, if the engine keeps lines. */
  private static Order last(List<Order> orders) {
    return orders.get(orders.size() - 1);
  }

  private static CompletableFuture<?> use(FaultFixture fixture, LocalFaultClient client, int i) {
    String name = "name/" + i;
    CompletableFuture<Hold> hold;
    if (i % 10 == 1 && fixture.traits().serves(Shape.semaphore(2))) {
      hold = client.holdfast().semaphore(name, 2).acquireAsync(FaultFixture.LONG);
    } else {
      Order order = fixture.orders().get(i % fixture.orders().size());
      hold =
          client
              .holdfast()
              .with(options -> options.withOrder(order))
              .lock(name)
              .acquireAsync(FaultFixture.LONG);
    }
    return hold.thenAcceptAsync(Hold::release, fixture.callbacks());
  }

  private static void waitInVain(
      FaultFixture fixture, LocalFaultClient client, LocalFaultClient rival, Order order)
      throws Exception {
    FaultClaim held = fixture.take(client, "wanted", order);
    List<FaultClaim> vain = new ArrayList<>();
    for (int i = 0; i < VAIN; i++) {
      vain.add(rival.acquire("wanted", order, Duration.ofMillis(200)));
    }
    fixture.until(
        "waits in vain end",
        FaultFixture.SOON,
        () -> vain.stream().allMatch(c -> c.granted().isDone()));
    assertThat(vain)
        .as("granted during another hold")
        .allMatch(c -> c.granted().isCompletedExceptionally());
    fixture.release("the wanted hold", held);
  }
}
