package io.holdfast.redis.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Renewals for less than what is left. */
@Timeout(60)
class U37ExtensionIT {

  private static final Duration LEASE = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final Duration NEARLY = Duration.ofSeconds(10);

  @Test
  @DisplayName("U37 a renewal for less than what is left takes nothing away, and says what is left")
  void neverNearer() throws Exception {
    try (RedisMasters masters = Redlocks.masters(3);
        Contender contender = new Contender("a", Redlocks.open(masters), LEASE)) {
      Ticket ticket = contender.ticket("x");
      contender.in(ticket);
      Renewal shorter = contender.renew(ticket.withLease(SHORT));
      assertThat(((Renewal.Renewed) shorter).validFor()).isGreaterThan(NEARLY);
      Standing again = contender.attempt(ticket.withLease(SHORT));
      assertThat(((Standing.Granted) again).validFor()).isGreaterThan(NEARLY);
      // As far as a majority goes: what one of them has longer counts for nothing.
      masters.server(0).call("PEXPIRE", key(masters, 0), "60000");
      masters.server(1).call("PEXPIRE", key(masters, 1), "6000");
      masters.server(2).call("PEXPIRE", key(masters, 2), "6000");
      Renewal middle = contender.renew(ticket.withLease(SHORT));
      assertThat(((Renewal.Renewed) middle).validFor()).isBetween(SHORT, Duration.ofSeconds(6));
      contender.leave(ticket);
    }
  }

  private static String key(RedisMasters masters, int index) {
    return masters.server(index).call("KEYS", "*:r:*").strip();
  }
}
