package io.holdfast.etcd.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.connection.Members;
import io.holdfast.etcd.connection.ScriptedChannel;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.support.LeaseClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which keep-alives count. */
class SharedLeaseTest {

  private static final long LEASE = 77;
  private static final Duration TIME = Duration.ofSeconds(12);

  private long now;

  /** For how long the host was suspended: the steady clock stood still, the wall clock did not. */
  private Duration suspended = Duration.ZERO;

  private final ScriptedChannel store = new ScriptedChannel();
  private final EtcdConnection wire =
      new EtcdConnection(Members.over(store, "scripted", "holdfast/"), Duration.ofSeconds(5));
  private final SharedLease session = new SharedLease(TIME, false, clock());

  @Test
  void what_was_kept_and_not_confirmed_does_not_count() throws Exception {
    granted(1);
    session.confirm(wire, 1, session.keep(wire));
    assertThat(valid()).isEqualTo(Duration.ofSeconds(12));
    now = Duration.ofSeconds(4).toNanos();
    kept(1);
    SharedLease.KeepAlive fresh = session.keep(wire);
    assertThat(valid()).isEqualTo(Duration.ofSeconds(8));
    assertThat(session.isFreshAndConfirmed()).isFalse();
    session.confirm(wire, 1, fresh);
    assertThat(valid()).isEqualTo(Duration.ofSeconds(12));
    assertThat(session.isFreshAndConfirmed()).isTrue();
  }

  @Test
  void what_was_kept_before_the_host_was_suspended_is_kept_again() throws Exception {
    granted(1);
    session.confirm(wire, 1, session.keep(wire));
    suspended = Duration.ofMillis(100);
    assertThat(session.isFreshAndConfirmed()).as("less than what belief spares").isTrue();
    suspended = Duration.ofSeconds(5);
    assertThat(session.isFreshAndConfirmed()).isFalse();
    now += 1;
    kept(1);
    session.confirm(wire, 1, session.keep(wire));
    assertThat(session.isFreshAndConfirmed()).isTrue();
  }

  @Test
  void what_was_kept_before_the_host_was_suspended_lasts_for_as_much_less() throws Exception {
    granted(1);
    SharedLease.KeepAlive asleep = session.keep(wire);
    suspended = Duration.ofSeconds(5);
    session.confirm(wire, 1, asleep);
    assertThat(valid()).isEqualTo(TIME.minusSeconds(5));
    suspended = Duration.ofHours(1);
    assertThat(valid()).isZero();
  }

  @Test
  void after_a_change_of_term_it_is_kept_again_and_counts_when_that_is_confirmed()
      throws Exception {
    granted(1);
    SharedLease.KeepAlive before = session.keep(wire);
    now = Duration.ofSeconds(1).toNanos();
    kept(2);
    read(3);
    kept(3);
    read(3);
    session.confirm(wire, 2, before);
    assertThat(valid()).isEqualTo(TIME);
    assertThat(session.isFreshAndConfirmed()).isTrue();
  }

  @Test
  void a_leader_that_was_voted_out_is_not_believed() throws Exception {
    granted(1);
    SharedLease.KeepAlive before = session.keep(wire);
    for (int i = 0; i < 3; i++) {
      kept(1);
      read(2);
    }
    assertThatThrownBy(() -> session.confirm(wire, 2, before))
        .isInstanceOf(EngineException.Unknown.class);
    assertThat(valid()).isZero();
  }

  @Test
  void a_fixed_lease_is_never_kept_and_another_is_made_for_those_that_come_later()
      throws Exception {
    SharedLease fixed = new SharedLease(TIME, true, clock());
    granted(1, 5);
    fixed.confirm(wire, 1, fixed.keep(wire));
    now = Duration.ofSeconds(1).toNanos();
    assertThat(fixed.keep(wire).lease()).as("a moment later").isEqualTo(5);
    now = Duration.ofSeconds(4).toNanos();
    granted(1, 6);
    fixed.confirm(wire, 1, fixed.keep(wire));
    assertThat(fixed.id()).isEqualTo(6);
    assertThat(fixed.validFor(6, TIME, now)).isEqualTo(TIME);
    assertThat(fixed.validFor(5, TIME, now)).as("it moves first").isZero();
  }

  private LeaseClock clock() {
    return new LeaseClock(() -> now, this::wall);
  }

  private long wall() {
    return (now + suspended.toNanos()) / 1000;
  }

  private Duration valid() {
    return session.validFor(LEASE, TIME, now);
  }

  private void granted(long term) {
    granted(term, LEASE);
  }

  private void granted(long term, long lease) {
    store.grantsLease(term, lease, TIME);
  }

  private void kept(long term) {
    store.keepsLease(term, LEASE, TIME);
  }

  private void read(long term) {
    store.reads(term);
  }
}
