package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A client is cut off while it holds and while it waits. It is cut off in each way in which
 * networks fail.
 */
final class F06CutOff {

  private static final Duration WAIT = Duration.ofMillis(700);
  private static final Duration NOTIFIED = Duration.ofMillis(250);
  private static final List<Cut> CUTS = List.of(Cut.CLOSED, Cut.SILENT, Cut.DELAYED);

  private F06CutOff() {}

  static void play(FaultFixture fixture) throws Exception {
    List<FaultFixture.Part> parts = new ArrayList<>();
    for (Cut cut : CUTS) {
      parts.add(() -> cutOff(fixture, cut));
    }
    fixture.together(parts);
  }

  private static void cutOff(FaultFixture fixture, Cut cut) throws Exception {
    String name = cut.name();
    String other = "other-" + cut;
    Order order = fixture.anyOrder();
    FaultClient victim = fixture.start("victim", Ability.CUT);
    LocalFaultClient rival = fixture.open();
    FaultClaim held = fixture.take(victim, name, order);
    FaultClaim next = rival.acquire(name, order, FaultFixture.LONG);
    fixture.awaitWaiting(rival, name, 1);

    long begun = fixture.now();
    victim.cut(cut);
    long asked = fixture.now();
    fixture.failsWithin(
        cut + ": acquire(700 ms) ended",
        victim.acquire(other, order, WAIT),
        asked,
        WAIT.plusMillis(100));
    long looked = fixture.now();
    long deadline = looked + held.remaining().toNanos();
    boolean believed = held.isHeld();
    long lost = fixture.lostWithin(cut + ": loss reported", held, begun, fixture.lease());
    FaultClaim.Grant grant =
        fixture.grantedWithin(cut + ": rival in", next, begun, fixture.leaseAtMost());
    if (believed) {
      assertThat(grant.nanos() - deadline)
          .as("%s: rival's grant after the holder's deadline, in ns", cut)
          .isPositive();
      fixture.within(
          cut + ": loss reported after the deadline", Math.max(0, lost - deadline), NOTIFIED);
    }
    fixture.figure(
        cut + ": loss reported " + (grant.nanos() - lost) / 1_000_000 + " ms before a rival");
    assertThat(grant.token()).isGreaterThan(held.granted().join().token());
    assertThat(held.isHeld()).isFalse();
    fixture.release("the rival's hold", next);

    long healed = fixture.now();
    victim.heal();
    FaultClaim again = victim.acquire(name, order, FaultFixture.LONG);
    FaultClaim.Grant later =
        fixture.grantedWithin(cut + " healed: next grant", again, healed, Duration.ofSeconds(2));
    assertThat(later.token()).isGreaterThan(grant.token());
    fixture.release("the hold after the cut", again);
    fixture.awaitNobody(cut + " healed: nothing is left of its calls", List.of(name, other));
  }
}
