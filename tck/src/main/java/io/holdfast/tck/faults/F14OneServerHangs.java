package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One of several servers stands still; locks that the others can serve go on. */
final class F14OneServerHangs {

  private static final int HOLDS = 30;
  private static final Duration STALL = Duration.ofSeconds(4);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private F14OneServerHangs() {}

  static void play(FaultFixture fixture) throws Exception {
    FaultServer hung = fixture.store().servers().get(0);
    Order order = fixture.anyOrder();
    // Time to notice that the server hangs and to go to another, before a hold is lost.
    Duration lease = fixture.lease().multipliedBy(4);
    LocalFaultClient client = fixture.open(lease);
    List<FaultClaim> stuck = new ArrayList<>();
    List<FaultClaim> elsewhere = new ArrayList<>();
    for (int i = 0; elsewhere.size() < HOLDS; i++) {
      boolean needed = hung.isNeededFor(fixture.namespace(), "held/" + i);
      (needed ? stuck : elsewhere).add(fixture.take(client, "held/" + i, order));
    }
    long longest = 0;
    int sections = 0;
    long frozen = fixture.now();
    hung.freeze();
    try {
      for (int i = 0; fixture.now() - frozen < lease.multipliedBy(3).dividedBy(2).toNanos(); i++) {
        if (!hung.isNeededFor(fixture.namespace(), "other/" + i)) {
          long before = fixture.now();
          FaultClaim claim = client.acquire("other/" + i, order, FaultFixture.LONG);
          fixture.granted("a section at another server", claim, STALL);
          claim.release();
          longest = Math.max(longest, fixture.now() - before);
          sections++;
          fixture.pass(PAUSE);
        }
      }
    } finally {
      hung.resume();
    }
    long lost = elsewhere.stream().filter(claim -> !claim.isHeld()).count();
    fixture.figure(
        "one server hangs (lease "
            + lease.toSeconds()
            + " s): "
            + lost
            + " of "
            + elsewhere.size()
            + " holds at the others lost, "
            + sections
            + " sections there");
    fixture.within("one server hangs: longest section at the others", longest, STALL);
    for (FaultClaim claim : elsewhere) {
      fixture.requireHeld("a hold that needs another server", claim);
    }
    assertThat(sections).isPositive();
    if (!stuck.isEmpty()) {
      FaultClaim back = client.acquire(nameAt(fixture, hung), order, FaultFixture.LONG);
      fixture.grantedWithin("server resumed: grant there", back, fixture.now(), STALL);
      back.release();
    }
    elsewhere.forEach(FaultClaim::release);
    stuck.forEach(FaultClaim::release);
  }

  private static String nameAt(FaultFixture fixture, FaultServer server) {
    int i = 0;
    while (!server.isNeededFor(fixture.namespace(), "back/" + i)) {
      i++;
    }
    return "back/" + i;
  }
}
