package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Status;
import io.holdfast.etcd.wire.Members;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which answers about a lease are believed. */
class SessionTest {

  private static final long LEASE = 77;
  private static final Duration TIME = Duration.ofSeconds(12);

  private long now;

  /** For how long the host was suspended: the steady clock stood still, the wall clock did not. */
  private Duration suspended = Duration.ZERO;

  private final Scripted store = new Scripted();
  private final Wire wire =
      new Wire(Members.over(store, "scripted", "holdfast/"), Duration.ofSeconds(5));
  private final Session session = new Session(TIME, false, () -> this.now, this::wall);

  @Test
  void what_was_kept_and_not_confirmed_does_not_count() throws Exception {
    granted(1);
    session.confirm(wire, 1, session.keep(wire));
    assertThat(valid()).isEqualTo(Duration.ofSeconds(12));
    now = Duration.ofSeconds(4).toNanos();
    kept(1);
    Session.Kept fresh = session.keep(wire);
    assertThat(valid()).isEqualTo(Duration.ofSeconds(8));
    assertThat(session.isSure()).isFalse();
    session.confirm(wire, 1, fresh);
    assertThat(valid()).isEqualTo(Duration.ofSeconds(12));
    assertThat(session.isSure()).isTrue();
  }

  @Test
  void what_was_kept_before_the_host_was_suspended_is_kept_again() throws Exception {
    granted(1);
    session.confirm(wire, 1, session.keep(wire));
    suspended = Duration.ofMillis(100);
    assertThat(session.isSure()).as("less than what belief spares").isTrue();
    suspended = Duration.ofSeconds(5);
    assertThat(session.isSure()).isFalse();
    now += 1;
    kept(1);
    session.confirm(wire, 1, session.keep(wire));
    assertThat(session.isSure()).isTrue();
  }

  @Test
  void what_was_kept_before_the_host_was_suspended_lasts_for_as_much_less() throws Exception {
    granted(1);
    Session.Kept asleep = session.keep(wire);
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
    Session.Kept before = session.keep(wire);
    now = Duration.ofSeconds(1).toNanos();
    kept(2);
    read(3);
    kept(3);
    read(3);
    session.confirm(wire, 2, before);
    assertThat(valid()).isEqualTo(TIME);
    assertThat(session.isSure()).isTrue();
  }

  @Test
  void a_leader_that_was_voted_out_is_not_believed() throws Exception {
    granted(1);
    Session.Kept before = session.keep(wire);
    for (int i = 0; i < 3; i++) {
      kept(1);
      read(2);
    }
    assertThatThrownBy(() -> session.confirm(wire, 2, before))
        .isInstanceOf(EngineException.Unknown.class);
    assertThat(valid()).isZero();
  }

  @Test
  void what_was_done_is_not_said_not_to_be_because_its_lease_cannot_be_confirmed() {
    granted(1);
    store.says(LeaseGrpc.getLeaseKeepAliveMethod(), Status.UNIMPLEMENTED);
    store.says(KVGrpc.getTxnMethod(), answered(2));
    Told renewal = new Told("renewal", session);
    Told leave = new Told("leave", null);
    List<Errand> both = List.of(renewal, leave);
    assertThat(new Rounds(new Sessions(() -> now, this::wall), wire).run(both)).isEqualTo(both);
    assertThat(renewal.failure).isInstanceOf(EngineException.Unknown.class);
    assertThat(renewal.asked).as("nothing is sent twice").isOne();
    assertThat(leave.heard).isTrue();
    assertThat(leave.failure).isNull();
  }

  @Test
  void only_the_lease_that_is_over_is_given_up() {
    Sessions sessions = new Sessions(() -> now, this::wall);
    Session over = sessions.of(ticket(TIME));
    Session well = sessions.of(ticket(TIME.multipliedBy(2)));
    granted(1, 5);
    granted(1, 6);
    Status lost = Status.NOT_FOUND.withDescription("etcdserver: requested lease not found");
    store.says(KVGrpc.getTxnMethod(), lost).says(KVGrpc.getTxnMethod(), lost);
    for (int i = 0; i < 3; i++) {
      kept(1);
    }
    store
        .says(LeaseGrpc.getLeaseTimeToLiveMethod(), left(-1))
        .says(LeaseGrpc.getLeaseTimeToLiveMethod(), left(9));
    granted(1, 7);
    store.says(KVGrpc.getTxnMethod(), answered(1));
    Told first = new Told("first", over);
    Told second = new Told("second", well);
    new Rounds(sessions, wire).run(List.of(first, second));
    assertThat(first.heard && second.heard).isTrue();
    assertThat(over.id()).isEqualTo(7);
    assertThat(well.id()).isEqualTo(6);
  }

  @Test
  void a_fixed_lease_is_never_kept_and_another_is_made_for_those_that_come_later()
      throws Exception {
    Session fixed = new Session(TIME, true, () -> now, this::wall);
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

  private static Ticket ticket(Duration lease) {
    return new Ticket(
        new Ticket.Id(1, 2, 3),
        new Resource("default", "any"),
        Shape.mutex(Order.ANY),
        1,
        lease,
        0,
        true,
        new Owner("", "here", 1, "test", ""));
  }

  private static LeaseTimeToLiveResponse left(long seconds) {
    return LeaseTimeToLiveResponse.newBuilder().setTTL(seconds).build();
  }

  /** A transaction of two parts. */
  private static TxnResponse answered(long term) {
    TxnResponse part = TxnResponse.newBuilder().setSucceeded(true).build();
    return TxnResponse.newBuilder()
        .setHeader(header(term))
        .addResponses(ResponseOp.newBuilder().setResponseTxn(part))
        .addResponses(ResponseOp.newBuilder().setResponseTxn(part))
        .build();
  }

  /** An errand that remembers what it was told. */
  private static final class Told implements Errand {
    private final String name;
    private final @Nullable Session session;
    private @Nullable EngineException failure;
    private boolean heard;
    private int asked;

    Told(String name, @Nullable Session session) {
      this.name = name;
      this.session = session;
    }

    @Override
    public Resource resource() {
      return new Resource("default", name);
    }

    @Override
    public @Nullable Session session() {
      return session;
    }

    @Override
    public TxnRequest ask(Wire wire, boolean alone) {
      asked++;
      return TxnRequest.getDefaultInstance();
    }

    @Override
    public boolean hear(TxnResponse answer, long revision, Wire wire) {
      heard = answer.getSucceeded();
      return true;
    }

    @Override
    public void fail(EngineException why) {
      failure = why;
    }
  }

  private long wall() {
    return (now + suspended.toNanos()) / 1000;
  }

  private Duration valid() {
    return session.validFor(LEASE, TIME, now);
  }

  private static ResponseHeader header(long term) {
    return ResponseHeader.newBuilder().setRaftTerm(term).build();
  }

  private void granted(long term) {
    granted(term, LEASE);
  }

  private void granted(long term, long lease) {
    store.says(
        LeaseGrpc.getLeaseGrantMethod(),
        LeaseGrantResponse.newBuilder()
            .setHeader(header(term))
            .setID(lease)
            .setTTL(TIME.toSeconds())
            .build());
  }

  private void kept(long term) {
    store.says(
        LeaseGrpc.getLeaseKeepAliveMethod(),
        LeaseKeepAliveResponse.newBuilder()
            .setHeader(header(term))
            .setID(LEASE)
            .setTTL(TIME.toSeconds())
            .build());
  }

  private void read(long term) {
    store.says(KVGrpc.getRangeMethod(), RangeResponse.newBuilder().setHeader(header(term)).build());
  }
}
