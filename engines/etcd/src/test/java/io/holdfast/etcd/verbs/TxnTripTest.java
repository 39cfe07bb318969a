package io.holdfast.etcd.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Status;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.connection.Members;
import io.holdfast.etcd.connection.ScriptedChannel;
import io.holdfast.etcd.layout.Layout;
import io.holdfast.etcd.session.LeaseRegistry;
import io.holdfast.etcd.session.SharedLease;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.support.LeaseClock;
import io.holdfast.spi.support.VerbRounds;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which verbs of a round are complete when a lease is lost or cannot be confirmed. */
class TxnTripTest {

  private static final long LEASE = 77;
  private static final Duration TIME = Duration.ofSeconds(12);

  private static final Layout LAYOUT = new Layout("holdfast/");

  private final ScriptedChannel store = new ScriptedChannel();
  private final EtcdConnection wire =
      new EtcdConnection(Members.over(store, "scripted", "holdfast/"), Duration.ofSeconds(5));
  private final SharedLease session =
      new SharedLease(TIME, false, new LeaseClock(() -> 0, () -> 0));

  @Test
  void what_was_done_is_not_said_not_to_be_because_its_lease_cannot_be_confirmed() {
    store.grantsLease(1, LEASE, TIME);
    store.says(LeaseGrpc.getLeaseKeepAliveMethod(), Status.UNIMPLEMENTED);
    store.says(KVGrpc.getTxnMethod(), answered(2));
    Told renewal = new Told("renewal", session);
    Told leave = new Told("leave", null);
    List<TxnStep> both = List.of(renewal, leave);
    VerbRounds.run(both, new TxnTrip(new LeaseRegistry(() -> 0, () -> 0), LAYOUT, wire));
    assertThat(renewal.failure).isInstanceOf(EngineException.Unknown.class);
    assertThat(renewal.asked).as("nothing is sent twice").isOne();
    assertThat(leave.heard).isTrue();
    assertThat(leave.failure).isNull();
  }

  @Test
  void only_the_lease_that_is_over_is_given_up() {
    LeaseRegistry sessions = new LeaseRegistry(() -> 0, () -> 0);
    SharedLease over = sessions.of(ticket(TIME));
    SharedLease well = sessions.of(ticket(TIME.multipliedBy(2)));
    store.grantsLease(1, 5, TIME);
    store.grantsLease(1, 6, TIME);
    Status lost = Status.NOT_FOUND.withDescription("etcdserver: requested lease not found");
    store.says(KVGrpc.getTxnMethod(), lost).says(KVGrpc.getTxnMethod(), lost);
    for (int i = 0; i < 3; i++) {
      store.keepsLease(1, LEASE, TIME);
    }
    store
        .says(LeaseGrpc.getLeaseTimeToLiveMethod(), left(-1))
        .says(LeaseGrpc.getLeaseTimeToLiveMethod(), left(9));
    store.grantsLease(1, 7, TIME);
    store.says(KVGrpc.getTxnMethod(), answered(1));
    Told first = new Told("first", over);
    Told second = new Told("second", well);
    List<TxnStep> both = List.of(first, second);
    VerbRounds.run(both, new TxnTrip(sessions, LAYOUT, wire));
    assertThat(first.heard && second.heard).isTrue();
    assertThat(over.id()).isEqualTo(7);
    assertThat(well.id()).isEqualTo(6);
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
        .setHeader(ScriptedChannel.header(term))
        .addResponses(ResponseOp.newBuilder().setResponseTxn(part))
        .addResponses(ResponseOp.newBuilder().setResponseTxn(part))
        .build();
  }

  /** A step that records what it receives. */
  private static final class Told implements TxnStep {
    private final String name;
    private final @Nullable SharedLease session;
    private @Nullable EngineException failure;
    private boolean heard;
    private int asked;

    Told(String name, @Nullable SharedLease session) {
      this.name = name;
      this.session = session;
    }

    @Override
    public Resource resource() {
      return new Resource("default", name);
    }

    @Override
    public @Nullable SharedLease lease() {
      return session;
    }

    @Override
    public TxnRequest ask(EtcdConnection wire, boolean alone) {
      asked++;
      return TxnRequest.getDefaultInstance();
    }

    @Override
    public boolean hear(TxnReply reply) {
      heard = reply.succeeded();
      return DONE;
    }

    @Override
    public void fail(EngineException why) {
      failure = why;
    }
  }
}
