package io.holdfast.redis.signals;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.Player;
import io.holdfast.rig.servers.RedisMonitor;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.spi.Left;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is told of a release without an order. */
@Timeout(60)
class OneWaiterIsSignalledIT {

  private static final Duration SIGNAL = Duration.ofSeconds(10);

  @Test
  void of_many_waiting_clients_the_first_is_told_and_nobody_else() throws Exception {
    try (RedisServer server = RedisServer.start();
        Player holder = new Player(server.uri(), "holder");
        Player first = new Player(server.uri(), "first");
        Player second = new Player(server.uri(), "second");
        Player third = new Player(server.uri(), "third")) {
      Ticket held = holder.ticket("x", Player.MUTEX);
      holder.in(held);
      List<CountingWake> rungs = new ArrayList<>();
      for (Player waiter : List.of(first, second, third)) {
        Ticket ticket = waiter.ticket("x", Player.MUTEX);
        // Signals are on when the channel was confirmed, which is told like a signal.
        waiter.out(ticket).awaitMoreThan(0, SIGNAL);
        rungs.add(waiter.out(ticket));
      }
      try (RedisMonitor monitor = RedisMonitor.of(server)) {
        assertThat(holder.engine().leave(held, false)).isEqualTo(Left.HOLDING);
        rungs.get(0).awaitMoreThan(0, SIGNAL);
        assertThat(monitor.commands()).filteredOn(c -> c.name().equals("PUBLISH")).hasSize(1);
      }
      assertThat(rungs.get(1).times()).isZero();
      assertThat(rungs.get(2).times()).isZero();
    }
  }
}
