package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Order;
import java.util.List;

/** Many waiters die at once, behind a holder and ahead of two live waiters. */
final class F03DeadWaiters {

  private static final String NAME = "line";

  /** One lease each would exceed even the tolerance. */
  private static final int DEAD = 12;

  private F03DeadWaiters() {}

  static void play(FaultFixture fixture) throws Exception {
    LocalFaultClient holder = fixture.open();
    LocalFaultClient live = fixture.open();
    LocalFaultClient last = fixture.open();
    List<FaultClient> victims =
        List.of(fixture.start("victim", Ability.KILL), fixture.start("victim", Ability.KILL));
    FaultClaim held = fixture.take(holder, NAME, Order.FIFO);
    for (int i = 0; i < DEAD; i++) {
      victims.get(i % victims.size()).acquire(NAME, Order.FIFO, FaultFixture.LONG);
    }
    fixture.awaitStanding(NAME, 1 + DEAD);
    FaultClaim next = live.acquire(NAME, Order.FIFO, FaultFixture.LONG);
    fixture.awaitWaiting(live, NAME, 1);
    FaultClaim after = last.acquire(NAME, Order.FIFO, FaultFixture.LONG);
    fixture.awaitWaiting(last, NAME, 1);

    long killed = fixture.now();
    victims.forEach(FaultClient::kill);
    fixture.release("the hold ahead of the dead", held);
    FaultClaim.Grant grant =
        fixture.grantedWithin(
            DEAD + " dead waiters ahead: next live one in", next, killed, fixture.leaseAtMost());
    assertThat(after.granted()).as("the last in line, while the one before it holds").isNotDone();
    fixture.release("the first live hold", next);
    assertThat(fixture.granted(after).token()).isGreaterThan(grant.token());
    fixture.release("the second live hold", after);
  }
}
