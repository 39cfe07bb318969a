package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The store dies without a farewell and is started again. */
final class F08KilledStore {

  private static final Duration WAIT = Duration.ofMillis(700);
  private static final Duration LONG_LEASE = Duration.ofSeconds(15);
  private static final int ANSWERED = 50;
  private static final Duration BACK = Duration.ofSeconds(3);

  private F08KilledStore() {}

  static void play(FaultFixture fixture) throws Exception {
    Order order = fixture.anyOrder();
    LocalFaultClient holder = fixture.open(LONG_LEASE);
    LocalFaultClient rival = fixture.open();
    FaultClaim held = fixture.take(holder, "held", order);
    LocalFaultClient waiter = fixture.open();
    FaultClaim waits = waiter.acquire("held", order, FaultFixture.LONG);
    fixture.awaitWaiting(waiter, "held", 1);
    CompletableFuture<Void> passed =
        waits
            .granted()
            .thenAcceptAsync(
                grant -> fixture.release("a wait from before the kill", waits),
                fixture.callbacks());
    FaultClaim passing = fixture.take(rival, "used", order);
    long token = passing.granted().join().token();
    fixture.release("a first hold", passing);

    List<FaultClaim> answered = Collections.synchronizedList(new ArrayList<>());
    fixture.together(
        List.of(
            () -> takeUntilItFails(fixture, holder, order, answered),
            () -> killMeanwhile(fixture, rival, order, answered)));
    fixture.store().restart();
    long restarted = fixture.now();
    FaultClaim first = rival.acquire("used", order, FaultFixture.LONG);
    FaultClaim.Grant grant =
        fixture.grantedWithin("store restarted: next grant", first, restarted, BACK);
    if (fixture.guarantees().contains(Guarantee.TOKENS_SURVIVE_RESTART)) {
      assertThat(grant.token()).as("the token after the restart").isGreaterThan(token);
    }
    fixture.release("the hold after the restart", first);
    FaultClaim next = rival.acquire("held", order, FaultFixture.LONG);
    fixture.until(
        "a reply about the lock that was held",
        FaultFixture.LONG,
        () -> next.granted().isDone() || rival.waiting("held") > 0);
    boolean mustSurvive = fixture.guarantees().contains(Guarantee.EXCLUSION_SURVIVES_RESTART);
    // A store that promises less may still remember the hold.
    if (mustSurvive || !next.granted().isDone()) {
      survives(fixture, held, next, waits);
    } else {
      forgotten(fixture, held, next);
    }
    fixture.release("the next hold", next);
    fixture.until(
        "the wait from before the kill is through", fixture.leaseAtMost(), passed::isDone);
    passed.join();
    if (mustSurvive) {
      nothingForgotten(fixture, rival, order, answered);
    }
  }

  private static void killMeanwhile(
      FaultFixture fixture, FaultClient rival, Order order, List<FaultClaim> answered)
      throws Exception {
    fixture.until("grants", FaultFixture.LONG, () -> answered.size() >= ANSWERED);
    fixture.store().kill();
    long killed = fixture.now();
    fixture.failsWithin(
        "store killed: acquire(700 ms) ended",
        rival.acquire("used", order, WAIT),
        killed,
        WAIT.plusMillis(100));
  }

  /** One name after another, until there is no reply. */
  private static void takeUntilItFails(
      FaultFixture fixture, FaultClient client, Order order, List<FaultClaim> answered) {
    while (true) {
      FaultClaim claim = client.acquire("taken/" + answered.size(), order, WAIT);
      fixture.until("a grant or its end", FaultFixture.LONG, claim.granted()::isDone);
      if (claim.granted().isCompletedExceptionally()) {
        return;
      }
      answered.add(claim);
    }
  }

  /** What was granted up to the very end is held, and nobody else gets in before its release. */
  private static void nothingForgotten(
      FaultFixture fixture, LocalFaultClient rival, Order order, List<FaultClaim> answered)
      throws Exception {
    List<FaultClaim> others = new ArrayList<>();
    for (int i = 0; i < answered.size(); i++) {
      others.add(rival.acquire("taken/" + i, order, FaultFixture.LONG));
    }
    for (int i = 0; i < answered.size(); i++) {
      String name = "taken/" + i;
      FaultClaim other = others.get(i);
      fixture.until(
          "a reply about " + name,
          FaultFixture.LONG,
          () -> other.granted().isDone() || rival.waiting(name) > 0);
      fixture.requireHeld("a hold from just before the kill", answered.get(i));
      assertThat(other.granted())
          .as("a second grant of a hold from just before the kill")
          .isNotDone();
    }
    for (int i = 0; i < answered.size(); i++) {
      fixture.release("a hold from just before the kill", answered.get(i));
      assertThat(fixture.granted(others.get(i)).token())
          .as("the token after the kill")
          .isGreaterThan(answered.get(i).granted().join().token());
      fixture.release("the hold after it", others.get(i));
    }
    fixture.figure("store killed during " + answered.size() + " grants: none was forgotten");
  }

  private static void survives(
      FaultFixture fixture, FaultClaim held, FaultClaim next, FaultClaim waits) throws Exception {
    fixture.requireHeld("the hold that outlived the store", held);
    assertThat(next.granted()).as("a second grant during the hold").isNotDone();
    assertThat(waits.granted()).as("a second grant, to a wait from before the kill").isNotDone();
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
    if (fixture.guarantees().contains(Guarantee.TOKENS_SURVIVE_RESTART)) {
      assertThat(grant.token()).isGreaterThan(held.granted().join().token());
    }
  }
}
