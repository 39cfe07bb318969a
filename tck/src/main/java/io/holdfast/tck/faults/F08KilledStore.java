package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Order;
import java.time.Duration;

/** The store dies without a farewell and is started again. */
final class F08KilledStore {

  private static final Duration WAIT = Duration.ofMillis(700);
  private static final Duration LONG_LEASE = Duration.ofSeconds(15);
  private static final Duration BACK = Duration.ofSeconds(3);

  private F08KilledStore() {}

  static void play(FaultFixture fixture) throws Exception {
    Order order = fixture.anyOrder();
    LocalFaultClient holder = fixture.open(LONG_LEASE);
    LocalFaultClient rival = fixture.open();
    FaultClaim held = fixture.take(holder, "held", order);
    FaultClaim passing = fixture.take(rival, "used", order);
    long token = passing.granted().join().token();
    fixture.release("a first hold", passing);

    fixture.store().kill();
    long killed = fixture.now();
    fixture.failsWithin(
        "store killed: acquire(700 ms) ended",
        rival.acquire("used", order, WAIT),
        killed,
        WAIT.plusMillis(100));
    fixture.store().restart();
    long restarted = fixture.now();
    FaultClaim first = rival.acquire("used", order, FaultFixture.LONG);
    FaultClaim.Grant grant =
        fixture.grantedWithin("store restarted: next grant", first, restarted, BACK);
    if (fixture.traits().guarantees().contains(Guarantee.TOKENS_SURVIVE_RESTART)) {
      assertThat(grant.token()).as("the token after the restart").isGreaterThan(token);
    }
    fixture.release("the hold after the restart", first);
    FaultClaim next = rival.acquire("held", order, FaultFixture.LONG);
    fixture.until(
        "a reply about the lock that was held",
        FaultFixture.LONG,
        () -> next.granted().isDone() || rival.waiting("held") > 0);
    boolean mustSurvive =
        fixture.traits().guarantees().contains(Guarantee.EXCLUSION_SURVIVES_RESTART);
    // A store that promises less may still remember the hold.
    if (mustSurvive || !next.granted().isDone()) {
      survives(fixture, held, next);
    } else {
      forgotten(fixture, held, next);
    }
    fixture.release("the next hold", next);
  }

  private static void survives(FaultFixture fixture, FaultClaim held, FaultClaim next)
      throws Exception {
    fixture.requireHeld("the hold that outlived the store", held);
    assertThat(next.granted()).as("a second grant during the hold").isNotDone();
    fixture.release("the hold that outlived the store", held);
    assertThat(fixture.granted(next).token())
        .as("the token after the restart")
        .isGreaterThan(held.granted().join().token());
    fixture.figure("store restarted: the hold outlived it, without a second grant");
  }

  /** The store has forgotten the hold: its holder learns of it. */
  private static void forgotten(FaultFixture fixture, FaultClaim held, FaultClaim next)
      throws Exception {
    FaultClaim.Grant grant = fixture.granted(next);
    fixture.lostWithin(
        "store restarted without the hold: loss reported",
        held,
        grant.nanos(),
        LONG_LEASE.dividedBy(2));
    if (fixture.traits().guarantees().contains(Guarantee.TOKENS_SURVIVE_RESTART)) {
      assertThat(grant.token()).isGreaterThan(held.granted().join().token());
    }
  }
}
