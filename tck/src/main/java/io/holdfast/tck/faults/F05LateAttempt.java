package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.tck.VerbKind;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An attempt reaches the store when its client has given up and left. */
final class F05LateAttempt {

  private static final Duration WAIT = Duration.ofMillis(300);

  /** Far longer than a rival should have to wait. */
  private static final Duration LEASE = Duration.ofSeconds(20);

  /** More than fit into the wait. */
  private static final int REPETITIONS = 30;

  private static final Set<String> LEFT =
      Stream.of(Left.values()).map(Left::toString).collect(Collectors.toSet());

  private F05LateAttempt() {}

  static void play(FaultFixture fixture) throws Exception {
    for (Order order : fixture.orders()) {
      lateVerb(fixture, order);
    }
    lateBytes(fixture, fixture.anyOrder());
  }

  /** The attempt is late, and nothing else is. */
  private static void lateVerb(FaultFixture fixture, Order order) throws Exception {
    String name = "late-verb-" + order;
    LocalFaultClient client = fixture.open(leaseOf(fixture));
    LocalFaultClient rival = fixture.open(leaseOf(fixture));
    fixture.release("a first hold", fixture.take(client, "warm", order));
    fixture.release("a first hold", fixture.take(rival, "warm", order));
    // The runtime repeats an attempt that has no reply: all of them are late.
    for (int i = 0; i < REPETITIONS; i++) {
      client.engine().delayNext(VerbKind.ATTEMPT);
    }
    long start = fixture.now();
    fixture.failsWithin(
        "attempt unanswered: acquire(300 ms) ended",
        client.acquire(name, order, WAIT),
        start,
        WAIT.plusMillis(200));
    fixture.until("the client has left", FaultFixture.SOON, () -> hasLeft(client, name));
    client.engine().deliverLate();
    assertThat(fixture.standing(name).orElse(0)).as("tickets after the late attempt").isZero();
    long delivered = fixture.now();
    FaultClaim next = rival.acquire(name, order, FaultFixture.LONG);
    fixture.grantedWithin(
        "late attempt delivered, order " + order + ": rival in",
        next,
        delivered,
        FaultFixture.SOON);
    fixture.release("the rival's hold", next);
  }

  /** Whether the store has confirmed a leave. */
  private static boolean hasLeft(LocalFaultClient client, String name) {
    return client.engine().reached(VerbKind.LEAVE, name).stream()
        .anyMatch(seen -> LEFT.contains(seen.answer()));
  }

  /** The network delays whatever was sent, and then delivers all of it. */
  private static void lateBytes(FaultFixture fixture, Order order) throws Exception {
    String name = "late-bytes";
    FaultClient client = fixture.start("late", Ability.CUT);
    LocalFaultClient rival = fixture.open();
    fixture.release("a first hold", fixture.take(client, "warm", order));
    client.cut(Cut.DELAYED);
    long start = fixture.now();
    fixture.failsWithin(
        "network delayed: acquire(300 ms) ended",
        client.acquire(name, order, WAIT),
        start,
        WAIT.plusMillis(200));
    client.heal();
    long healed = fixture.now();
    FaultClaim next = rival.acquire(name, order, FaultFixture.LONG);
    fixture.grantedWithin("delayed attempt arrived: rival in", next, healed, fixture.leaseAtMost());
    fixture.untilStored(
        "the rival alone is in line",
        fixture.leaseAtMost(),
        () -> fixture.standing(name).orElse(1) == 1);
    fixture.requireHeld("the rival's hold", next);
    fixture.release("the rival's hold", next);
  }

  /** A session engine grants no more than its servers allow; others take the long lease. */
  private static Duration leaseOf(FaultFixture fixture) {
    return fixture.traits().sessionLease().isPresent() ? fixture.lease() : LEASE;
  }
}
