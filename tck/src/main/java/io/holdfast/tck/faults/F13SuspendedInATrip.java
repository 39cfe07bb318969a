package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Outcome;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A host is suspended between its request and the reply. */
final class F13SuspendedInATrip {

  private static final int WARM_PER_LANE = 8;
  private static final Duration LOOKS = Duration.ofMillis(500);
  private static final Duration ON_ITS_WAY = Duration.ofMillis(300);

  private F13SuspendedInATrip() {}

  static void play(FaultFixture fixture) throws Exception {
    Order order = fixture.anyOrder();
    FaultClient sleeper = fixture.start("sleeper", Ability.CUT, Ability.SUSPEND);
    LocalFaultClient rival = fixture.open();
    connectAllLanes(fixture, sleeper, order);
    FaultClaim held = fixture.take(sleeper, "renewed", order);
    FaultClaim other = rival.acquire("renewed", order, FaultFixture.LONG);
    fixture.awaitWaiting(rival, "renewed", 1);

    sleeper.cut(Cut.REPLIES_DELAYED);
    FaultClaim attempt = sleeper.acquire("attempted", order, FaultFixture.LONG);
    // The store grants it, and the reply is on its way.
    if (fixture.standing("attempted").isPresent()) {
      fixture.awaitStanding("attempted", 1);
    } else {
      fixture.pass(ON_ITS_WAY);
    }
    sleeper.suspend();
    // Whatever runs in the background of this JVM would not run on a suspended host.
    sleeper.cut(Cut.DELAYED);
    long asleep = fixture.now();
    FaultClaim next = rival.acquire("attempted", order, FaultFixture.LONG);
    FaultClaim.Grant grant =
        fixture.grantedWithin("host suspended: rival in", next, asleep, fixture.leaseAtMost());
    FaultClaim.Grant renewed =
        fixture.grantedWithin(
            "host suspended: rival of a hold in", other, asleep, fixture.leaseAtMost());

    sleeper.heal();
    sleeper.resume();
    assertThat(held.isHeld()).as("the first look after the suspension").isFalse();
    long end = fixture.now() + LOOKS.toNanos();
    while (fixture.now() - end < 0) {
      assertThat(attempt.isHeld()).as("a grant from before the suspension is believed").isFalse();
      assertThat(held.isHeld()).as("a hold from before the suspension is believed").isFalse();
      fixture.pass(Duration.ofMillis(5));
    }
    assertThat(held.release()).isEqualTo(Outcome.LOST);
    fixture.requireHeld("the rival's hold", next);
    long left = fixture.now();
    fixture.release("the rival's hold", next);
    fixture.release("the rival's other hold", other);
    assertThat(renewed.token()).isGreaterThan(held.granted().join().token());
    FaultClaim.Grant late =
        fixture.grantedWithin(
            "rival left: the suspended acquire", attempt, left, fixture.leaseAtMost());
    assertThat(late.token()).as("a fresh token").isGreaterThan(grant.token());
    fixture.release("the hold after the suspension", attempt);
  }

  /** A connection that is opened while replies are late sends no attempt. */
  private static void connectAllLanes(FaultFixture fixture, FaultClient client, Order order)
      throws Exception {
    List<FaultClaim> warm = new ArrayList<>();
    for (int i = 0; i < WARM_PER_LANE * fixture.traits().lanes(); i++) {
      warm.add(client.acquire("warm/" + i, order, FaultFixture.LONG));
    }
    for (FaultClaim claim : warm) {
      fixture.granted(claim);
    }
    for (FaultClaim claim : warm) {
      fixture.release("a first hold", claim);
    }
  }
}
