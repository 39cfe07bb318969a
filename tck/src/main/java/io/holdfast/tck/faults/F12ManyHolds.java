package io.holdfast.tck.faults;

import io.holdfast.spi.Order;
import io.holdfast.tck.TooLateError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One client holds very many locks for several leases. */
final class F12ManyHolds {

  private F12ManyHolds() {}

  static void play(FaultFixture fixture) throws Exception {
    int count = fixture.store().manyHolds();
    Duration lease = fixture.lease().multipliedBy(3);
    LocalFaultClient client = fixture.open(lease);
    Order order = fixture.anyOrder();
    long begin = fixture.now();
    List<FaultClaim> claims = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      claims.add(client.acquire("held/" + i, order, FaultFixture.LONG));
    }
    for (FaultClaim claim : claims) {
      fixture.granted(claim);
    }
    long acquired = fixture.now() - begin;
    fixture.pass(lease.multipliedBy(3).dividedBy(2));
    long lost = claims.stream().filter(claim -> !claim.isHeld()).count();
    fixture.figure(
        count
            + " locks taken in "
            + acquired / 1_000_000
            + " ms, held for 1.5 leases: "
            + lost
            + " lost");
    if (lost > 0) {
      // Nobody else wants these names: whatever the store says, they have expired.
      throw new TooLateError(lost + " of " + count + " holds have expired");
    }
    long releasing = fixture.now();
    client.holdfast().close();
    fixture.within(
        count + " held locks: client closed", fixture.now() - releasing, Duration.ofSeconds(5));
    FaultClaim next = fixture.open().acquire("held/0", order, FaultFixture.LONG);
    fixture.grantedWithin("a lock of the closed client", next, fixture.now(), FaultFixture.SOON);
    fixture.release("a lock of the closed client", next);
  }
}
