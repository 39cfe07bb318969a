package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Order;
import java.util.EnumMap;
import java.util.Map;

/** A holder dies, once in each order. */
final class F01KilledHolder {

  private F01KilledHolder() {}

  private record Pair(FaultClaim.Grant held, FaultClaim next) {}

  static void play(FaultFixture fixture) throws Exception {
    FaultClient victim = fixture.start("victim", Ability.KILL);
    LocalFaultClient rival = fixture.open();
    Map<Order, Pair> pairs = new EnumMap<>(Order.class);
    for (Order order : fixture.orders()) {
      FaultClaim held = fixture.take(victim, order.name(), order);
      FaultClaim next = rival.acquire(order.name(), order, FaultFixture.LONG);
      fixture.awaitWaiting(rival, order.name(), 1);
      pairs.put(order, new Pair(held.granted().join(), next));
    }
    long killed = fixture.now();
    victim.kill();
    for (Map.Entry<Order, Pair> each : pairs.entrySet()) {
      Pair pair = each.getValue();
      FaultClaim.Grant grant =
          fixture.grantedWithin(
              "holder killed, order " + each.getKey() + ": next grant",
              pair.next,
              killed,
              fixture.leaseAtMost());
      assertThat(grant.token()).as("the later token").isGreaterThan(pair.held.token());
      fixture.release("the next hold", pair.next);
    }
  }
}
