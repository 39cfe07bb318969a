package io.holdfast.tck.faults;

import io.holdfast.spi.Order;

/** No wake of the store arrives at any waiter. */
final class F09SignalsLost {

  private static final int HAND_OVERS = 3;

  private F09SignalsLost() {}

  static void play(FaultFixture fixture) throws Exception {
    LocalFaultClient first = fixture.open();
    LocalFaultClient second = fixture.open();
    first.engine().dropWakes(true);
    second.engine().dropWakes(true);
    for (Order order : fixture.orders()) {
      FaultClaim held = fixture.take(first, order.name(), order);
      for (int i = 0; i < HAND_OVERS; i++) {
        LocalFaultClient other = i % 2 == 0 ? second : first;
        long before = other.waiting(order.name());
        FaultClaim next = other.acquire(order.name(), order, FaultFixture.LONG);
        fixture.awaitWaiting(other, order.name(), (int) before + 1);
        fixture.release("the hold before", held);
        fixture.grantedWithin(
            "signals lost, order " + order + ": next grant",
            next,
            fixture.now(),
            fixture.lease().dividedBy(3).plusMillis(500));
        held = next;
      }
      fixture.release("the last hold", held);
    }
  }
}
