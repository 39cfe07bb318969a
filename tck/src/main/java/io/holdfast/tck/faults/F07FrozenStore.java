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

  private static final int GIVEN_UP = 5;

  private F07FrozenStore() {}

  static void play(FaultFixture fixture) throws Exception {
    Order order = fixture.anyOrder();
    LocalFaultClient shortLease = fixture.open();
    LocalFaultClient longLease = fixture.open(LONG_LEASE);
    LocalFaultClient rival = fixture.open();
    FaultClaim lost = fixture.take(shortLease, "short", order);
    FaultClaim kept = fixture.take(longLease, "long", order);
    FaultClaim next = rival.acquire("short", order, FaultFixture.LONG);
    fixture.awaitWaiting(rival, "short", 1);
    fixture.release("a first hold", fixture.take(longLease, "warm", order));

    fixture.store().freeze();
    long frozen = fixture.now();
    List<FaultClaim> givenUp = new ArrayList<>();
    try {
      for (int i = 0; i < GIVEN_UP; i++) {
        givenUp.add(longLease.acquire("given-up/" + i, order, WAIT));
      }
      for (FaultClaim each : givenUp) {
        fixture.failsWithin(
            "store frozen: acquire(700 ms) ended", each, frozen, WAIT.plusMillis(200));
      }
      fixture.lostWithin("store frozen: loss reported", lost, frozen, fixture.lease());
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
    Duration before = kept.remaining();
    fixture.until(
        "the long lease is renewed",
        LONG_LEASE.dividedBy(2),
        () -> kept.remaining().compareTo(before) > 0);
    fixture.release("the hold with the long lease", kept);
  }
}
