package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Outcome;
import io.holdfast.spi.Order;
import java.time.Duration;

/** An operator deletes the record of a held lock, once with a waiter behind it. */
final class F15DeletedRecord {

  private F15DeletedRecord() {}

  static void play(FaultFixture fixture) throws Exception {
    Order order = fixture.anyOrder();
    LocalFaultClient holder = fixture.open();
    LocalFaultClient rival = fixture.open();
    FaultClaim alone = fixture.take(holder, "alone", order);
    FaultClaim wanted = fixture.take(holder, "wanted", order);
    FaultClaim waits = rival.acquire("wanted", order, FaultFixture.LONG);
    fixture.awaitWaiting(rival, "wanted", 1);

    long deleted = fixture.now();
    fixture.store().deleteHeld(fixture.namespace(), "alone");
    fixture.store().deleteHeld(fixture.namespace(), "wanted");
    Duration renewal = fixture.lease().dividedBy(3).plusSeconds(1);
    FaultClaim.Grant grant =
        fixture.grantedWithin("record deleted: waiter in", waits, deleted, fixture.leaseAtMost());
    fixture.lostWithin("record deleted, no waiter: loss reported", alone, deleted, renewal);
    fixture.lostWithin("record deleted, waiter behind it: loss reported", wanted, deleted, renewal);
    assertThat(grant.token()).isGreaterThan(wanted.granted().join().token());
    assertThat(alone.isHeld()).isFalse();
    assertThat(wanted.isHeld()).isFalse();

    // Whatever the old holder still sends neither joins nor takes the rival's hold away.
    FaultClaim next = rival.acquire("alone", order, FaultFixture.LONG);
    fixture.grantedWithin(
        "record deleted, no waiter: next grant", next, fixture.now(), fixture.leaseAtMost());
    assertThat(alone.release()).isEqualTo(Outcome.LOST);
    assertThat(wanted.release()).isEqualTo(Outcome.LOST);
    fixture.pass(fixture.lease().dividedBy(2));
    fixture.requireHeld("the waiter's hold", waits);
    fixture.requireHeld("the next hold", next);
    assertThat(next.granted().join().token()).isGreaterThan(alone.granted().join().token());
    fixture.release("the waiter's hold", waits);
    fixture.release("the next hold", next);
  }
}
