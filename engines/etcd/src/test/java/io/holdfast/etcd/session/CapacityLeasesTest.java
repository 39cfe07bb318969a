package io.holdfast.etcd.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.connection.Members;
import io.holdfast.etcd.connection.ScriptedChannel;
import io.holdfast.etcd.layout.HeadRecord;
import io.holdfast.etcd.layout.Layout;
import io.holdfast.etcd.layout.LineSnapshot;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** On which leases the capacities of semaphores hang, and when those are kept. */
class CapacityLeasesTest {

  private static final Duration LEASE = Duration.ofSeconds(6);
  private static final Shape SHAPE = Shape.semaphore(2);
  private static final Resource NAME = new Resource("default", "pool");

  private long now;
  private final ScriptedChannel store = new ScriptedChannel();
  private final EtcdConnection wire =
      new EtcdConnection(Members.over(store, "scripted", "holdfast/"), Duration.ofSeconds(5));
  private final CapacityLeases heads = new CapacityLeases(() -> this.now);

  private void granted(long lease, long seconds) {
    store.says(
        LeaseGrpc.getLeaseGrantMethod(),
        LeaseGrantResponse.newBuilder().setID(lease).setTTL(seconds).build());
  }

  private void kept(long seconds) {
    store.says(
        LeaseGrpc.getLeaseKeepAliveMethod(),
        LeaseKeepAliveResponse.newBuilder().setTTL(seconds).build());
  }

  private @Nullable TxnRequest upkeep(long lease) throws Exception {
    Ticket ticket =
        new Ticket(
            new Ticket.Id(1, 2, 3),
            NAME,
            SHAPE,
            1,
            LEASE,
            0,
            true,
            new Owner("", "here", 1, "test", ""));
    return heads.keep(
        wire,
        new Layout("holdfast/").of(NAME, SHAPE),
        new LineSnapshot(
            SHAPE, List.of(), 0, new HeadRecord.Capacity(2, 10, 10, lease), List.of(), false),
        ticket);
  }

  @Test
  void one_of_our_own_is_made_once_and_kept_when_that_is_due() throws Exception {
    granted(7, 12);
    assertThat(heads.own(wire, LEASE)).isEqualTo(7);
    assertThat(heads.own(wire, LEASE)).as("no call").isEqualTo(7);
    now += LEASE.toNanos() / 6;
    kept(12);
    assertThat(heads.own(wire, LEASE)).isEqualTo(7);
    now += LEASE.toNanos();
    kept(0);
    granted(8, 12);
    assertThat(heads.own(wire, LEASE)).as("it was over").isEqualTo(8);
    heads.doubt();
    granted(9, 12);
    assertThat(heads.own(wire, LEASE)).isEqualTo(9);
  }

  @Test
  void that_of_another_client_is_kept_while_it_lasts() throws Exception {
    kept(9);
    assertThat(upkeep(5)).isNull();
    assertThat(upkeep(5)).as("no call").isNull();
    now += LEASE.toNanos() / 6;
    kept(0);
    granted(7, 12);
    assertThat(upkeep(5)).isNotNull();
  }

  @Test
  void one_without_a_lease_gets_one_of_our_own() throws Exception {
    granted(7, 12);
    TxnRequest hang = upkeep(0);
    assertThat(hang).isNotNull();
    assertThat(hang.getSuccess(0).getRequestPut().getLease()).isEqualTo(7);
  }

  @Test
  void one_that_is_too_short_for_the_ticket_is_left_for_one_of_our_own() throws Exception {
    kept(8);
    granted(7, 12);
    TxnRequest hang = upkeep(5);
    assertThat(hang).isNotNull();
    assertThat(hang.getCompare(0).getModRevision()).isEqualTo(10);
    assertThat(hang.getSuccess(0).getRequestPut().getLease()).isEqualTo(7);
    assertThat(hang.getSuccess(0).getRequestPut().getIgnoreValue()).isTrue();
  }
}
