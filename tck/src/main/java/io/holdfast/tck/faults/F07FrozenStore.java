package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Order;
import io.holdfast.tck.TooLateError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The store stands still, and then does all that it was asked for meanwhile. */
final class F07FrozenStore {

  private static final Duration WAIT = Duration.ofMillis(700);

  /** So long that a grant of an attempt that was given up would be noticed. */
  private static final Duration LONG_LEASE = Duration.ofSeconds(20);

  private static final Duration NOTIFIED = Duration.ofMillis(250);
  private static final Duration SHORT_WAIT = Duration.ofMillis(100);
  private static final int GIVEN_UP = 20;

  private F07FrozenStore() {}

  static void play(FaultFixture fixture) throws Exception {
    Order order = fixture.anyOrder();
    LocalFaultClient shortLease = fixture.open();
    LocalFaultClient longLease = fixture.open(LONG_LEASE);
    LocalFaultClient rival = fixture.open();
    // Renewed while the store is frozen, and past two thirds of its lease only after that.
    LocalFaultClient interrupted = fixture.open(fixture.lease().multipliedBy(3));
    FaultClaim lost = fixture.take(shortLease, "short", order);
    FaultClaim kept = fixture.take(longLease, "long", order);
    FaultClaim renewed = fixture.take(interrupted, "interrupted", order);
    FaultClaim next = rival.acquire("short", order, FaultFixture.LONG);
    fixture.awaitWaiting(rival, "short", 1);
    fixture.release("a first hold", fixture.take(longLease, "warm", order));

    fixture.store().freeze();
    long frozen = fixture.now();
    long deadline = frozen + lost.remaining().toNanos();
    try {
      giveUp(fixture, longLease, order);
      long reported =
          fixture.lostWithin("store frozen: loss reported", lost, frozen, fixture.lease());
      fixture.within(
          "store frozen: loss reported after the deadline",
          Math.max(0, reported - deadline),
          NOTIFIED);
      fixture.pass(fixture.lease().plusMillis(500).minusNanos(fixture.now() - frozen));
      assertThat(lost.isHeld()).isFalse();
      if (next.granted().isDone() && next.granted().join().nanos() - frozen < 0) {
        throw new TooLateError("a hold has expired before the store was frozen");
      }
      assertThat(next.granted()).as("a grant of a frozen store").isNotDone();
      fixture.requireHeld("a hold with a lease of 20 s", kept);
    } finally {
      fixture.store().resume();
    }
    long resumed = fixture.now();
    FaultClaim.Grant grant =
        fixture.grantedWithin("store resumed: next grant", next, resumed, Duration.ofSeconds(3));
    assertThat(grant.token()).isGreaterThan(lost.granted().join().token());
    for (int i = 0; i < GIVEN_UP; i++) {
      FaultClaim each = rival.acquire("given-up/" + i, order, FaultFixture.LONG);
      fixture.grantedWithin(
          "store resumed: a name that was given up", each, resumed, Duration.ofSeconds(3));
      fixture.release("a name that was given up", each);
    }
    fixture.release("the rival's hold", next);
    fixture.until(
        "store resumed: a hold is renewed whose renewal was held up",
        FaultFixture.SOON,
        () -> renewed.remaining().compareTo(fixture.lease().multipliedBy(2)) > 0);
    fixture.release("the hold whose renewal was held up", renewed);
    fixture.release("the hold with the long lease", kept);
    List<String> names = new ArrayList<>(List.of("short", "long", "interrupted"));
    for (int i = 0; i < GIVEN_UP; i++) {
      names.add("given-up/" + i);
    }
    fixture.awaitNobody("store resumed: nothing is left of calls that ended", names);
  }

  /** Calls that end before the store is back, half of them early. */
  private static void giveUp(FaultFixture fixture, LocalFaultClient client, Order order)
      throws Exception {
    long asked = fixture.now();
    List<FaultClaim> givenUp = new ArrayList<>();
    for (int i = 0; i < GIVEN_UP; i++) {
      givenUp.add(client.acquire("given-up/" + i, order, waitOf(i)));
    }
    for (int i = 0; i < GIVEN_UP; i++) {
      Duration wait = waitOf(i);
      fixture.failsWithin(
          "store frozen: acquire(" + wait.toMillis() + " ms) ended",
          givenUp.get(i),
          asked,
          wait.plusMillis(200));
    }
  }

  private static Duration waitOf(int call) {
    return call < GIVEN_UP / 2 ? SHORT_WAIT : WAIT;
  }
}
