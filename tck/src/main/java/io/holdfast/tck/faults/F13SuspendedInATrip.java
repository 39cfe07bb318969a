package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Order;
import io.holdfast.tck.TooLateError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A host is suspended between its request and the reply. */
final class F13SuspendedInATrip {

  private static final int WARM_PER_LANE = 8;
  private static final Duration LOOKS = Duration.ofMillis(500);
  private static final Duration ON_ITS_WAY = Duration.ofMillis(300);
  private static final int TRIES = 10;

  /** The sleeper's hold, its attempt whose reply is on the way, and a rival behind the hold. */
  private record Trip(
      String name, FaultClaim held, FaultClaim other, FaultClaim attempt, boolean arrived) {}

  private F13SuspendedInATrip() {}

  static void play(FaultFixture fixture) throws Exception {
    Order order = fixture.anyOrder();
    FaultClient sleeper = fixture.start("sleeper", Ability.CUT, Ability.SUSPEND);
    LocalFaultClient rival = fixture.open();
    connectAllLanes(fixture, sleeper, order);
    Trip trip = trip(fixture, sleeper, rival, order);
    FaultClaim held = trip.held;
    FaultClaim other = trip.other;
    FaultClaim attempt = trip.attempt;

    sleeper.suspend();
    // Whatever runs in the background of this JVM would not run on a suspended host.
    sleeper.cut(Cut.DELAYED);
    long asleep = fixture.now();
    FaultClaim next = rival.acquire(trip.name, order, FaultFixture.LONG);
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
    fixture.releaseLost("the hold from before the suspension", held);
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

  /** Begins an attempt that the store grants, and whose reply is on its way. */
  private static Trip trip(
      FaultFixture fixture, FaultClient sleeper, LocalFaultClient rival, Order order)
      throws Exception {
    for (int i = 0; i < TRIES; i++) {
      Trip trip = begin(fixture, sleeper, rival, order, "/" + i);
      if (trip.arrived) {
        return trip;
      }
      // The lane was in the middle of another trip, and sends nothing before its reply.
      sleeper.heal();
      fixture.granted(trip.attempt);
      fixture.release("a hold whose attempt was late", trip.attempt);
      // It may have been lost to the rival meanwhile.
      trip.held.release();
      fixture.granted(trip.other);
      fixture.release("the rival's hold", trip.other);
    }
    throw new TooLateError("no attempt reached the store in " + TRIES + " tries");
  }

  private static Trip begin(
      FaultFixture fixture, FaultClient sleeper, LocalFaultClient rival, Order order, String suffix)
      throws Exception {
    String kept = "renewed" + suffix;
    String name = "attempted" + suffix;
    FaultClaim held = fixture.take(sleeper, kept, order);
    FaultClaim other = rival.acquire(kept, order, FaultFixture.LONG);
    fixture.awaitWaiting(rival, kept, 1);
    sleeper.cut(Cut.REPLIES_DELAYED);
    FaultClaim attempt = sleeper.acquire(name, order, FaultFixture.LONG);
    if (fixture.standing(name).isEmpty()) {
      fixture.pass(ON_ITS_WAY);
      return new Trip(name, held, other, attempt, true);
    }
    long end = fixture.now() + FaultFixture.SOON.toNanos();
    while (fixture.standing(name).orElse(0) == 0) {
      if (fixture.now() - end > 0) {
        return new Trip(name, held, other, attempt, false);
      }
      fixture.pass(Duration.ofMillis(20));
    }
    return new Trip(name, held, other, attempt, true);
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
    // Some may have expired since: connections are all that they were for.
    warm.forEach(FaultClaim::release);
  }
}
