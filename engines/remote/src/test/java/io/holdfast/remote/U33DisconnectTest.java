package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.time.Await;
import io.holdfast.server.LockServer;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A connection that is lost changes nothing: the client may have gone to the other server with the
 * same ticket, and a server that left for it would break its hold.
 */
@Timeout(60)
class U33DisconnectTest {

  private LockServer one;
  private LockServer two;
  private LockEngine lost;
  private LockEngine again;
  private LockEngine rival;

  @BeforeEach
  void start() throws Exception {
    String store = "memory:disconnect-" + System.nanoTime();
    one = RemoteStore.serve(store);
    two = RemoteStore.serve(store);
    lost = RemoteStore.open(one.address()).lane();
    again = RemoteStore.open(two.address()).lane();
    rival = RemoteStore.open(two.address()).lane();
  }

  @AfterEach
  void stop() {
    lost.close();
    again.close();
    rival.close();
    one.close();
    two.close();
  }

  /** Returns when the server has noticed it. */
  private void disconnect() {
    lost.close();
    Await.until("the server has noticed it", Duration.ofSeconds(20), () -> one.connections() == 0);
  }

  private static Standing.Granted granted(Standing standing) {
    assertThat(standing).isInstanceOf(Standing.Granted.class);
    return (Standing.Granted) standing;
  }

  @Test
  void aHolderGoesOnAtTheOtherServerWithTheSameToken() throws Exception {
    Ticket ticket = Tickets.of("held");
    long token = granted(lost.attempt(ticket, Tickets.IGNORED)).token();
    disconnect();
    Ticket other = Tickets.of("held");
    assertThat(rival.attempt(other, Tickets.IGNORED)).isInstanceOf(Standing.Waiting.class);
    assertThat(again.renew(ticket)).isInstanceOf(Renewal.Renewed.class);
    assertThat(granted(again.attempt(ticket, Tickets.IGNORED)).token()).isEqualTo(token);
    assertThat(again.leave(ticket, false)).isEqualTo(Left.HOLDING);
    assertThat(granted(rival.attempt(other, Tickets.IGNORED)).token()).isGreaterThan(token);
  }

  @Test
  void aWaiterKeepsItsPlaceInLine() throws Exception {
    Ticket held = Tickets.of("line");
    Ticket first = Tickets.of("line");
    Ticket second = Tickets.of("line");
    granted(rival.attempt(held, Tickets.IGNORED));
    assertThat(lost.attempt(first, Tickets.IGNORED)).isInstanceOf(Standing.Waiting.class);
    assertThat(rival.attempt(second, Tickets.IGNORED)).isInstanceOf(Standing.Waiting.class);
    disconnect();
    rival.leave(held, false);
    assertThat(rival.attempt(second, Tickets.IGNORED)).isInstanceOf(Standing.Waiting.class);
    granted(again.attempt(first, Tickets.IGNORED));
  }
}
