package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Outcome;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.server.LockServer;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stopping a server ends nobody's hold: not even on etcd, whose engine has leases of its own. */
@Timeout(120)
class U33StoppedServerIT {

  private static EtcdServer etcd;

  @BeforeAll
  static void start() throws Exception {
    etcd = EtcdServer.start();
  }

  @AfterAll
  static void stop() throws Exception {
    etcd.close();
  }

  @Test
  void aHoldOutlivesTheServerThatGrantedIt() throws Exception {
    LockServer one = RemoteStore.serve(etcd.uri());
    try (LockServer two = RemoteStore.serve(etcd.uri());
        LockEngine holder = RemoteStore.open(one.address());
        LockEngine again = RemoteStore.open(two.address());
        LockEngine rival = RemoteStore.open(two.address())) {
      Ticket ticket = Tickets.of("held");
      Standing granted = holder.attempt(ticket, Tickets.IGNORED);
      assertThat(granted).isInstanceOf(Standing.Granted.class);
      one.close();
      assertThat(rival.attempt(Tickets.of("held"), Tickets.IGNORED))
          .isInstanceOf(Standing.Waiting.class);
      assertThat(again.renew(ticket)).isInstanceOf(Renewal.Renewed.class);
      Standing.Granted same = (Standing.Granted) again.attempt(ticket, Tickets.IGNORED);
      assertThat(same.token()).isEqualTo(((Standing.Granted) granted).token());
      again.leave(ticket, false);
    } finally {
      one.close();
    }
  }

  /** The holder itself does nothing: its client goes to the other server. */
  @Test
  void aClientGoesToTheOtherServerAndKeepsItsHold() throws Exception {
    LockServer one = RemoteStore.serve(etcd.uri());
    try (LockServer two = RemoteStore.serve(etcd.uri());
        Holdfast holdfast =
            Holdfast.connect(
                "http://127.0.0.1:" + one.port() + ",127.0.0.1:" + two.port(),
                HoldfastOptions.DEFAULTS.withLease(Duration.ofSeconds(6)))) {
      Hold hold = holdfast.lock("orders").acquire(Duration.ofSeconds(10));
      long end = System.nanoTime() + Duration.ofSeconds(12).toNanos();
      one.close();
      while (System.nanoTime() < end) {
        assertThat(hold.isHeld()).isTrue();
        LockSupport.parkNanos(50_000_000L);
      }
      assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
    } finally {
      one.close();
    }
  }
}
