package io.holdfast.redis.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.Player;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rule 9 where only those who wait know the shape: between a lapsed reservation and its user. */
class ShapeOfWaitersIT {

  private static final Duration BOUND = Duration.ofSeconds(5);

  @Test
  void a_line_does_not_begin_while_others_wait_without_an_order() throws Exception {
    try (RedisServer server = RedisServer.start();
        Player player = new Player(server.uri(), "one")) {
      Ticket holder = player.ticket("shape", Player.MUTEX);
      Ticket told = player.ticket("shape", Player.MUTEX);
      Ticket waits = player.ticket("shape", Player.MUTEX);
      player.in(holder);
      player.out(told);
      player.out(waits);
      player.engine().leave(holder, false);
      String key = server.call("KEYS", "*:l:*");
      Await.until(
          "the end of the reservation", BOUND, () -> server.call("EXISTS", key).equals("0"));

      for (Shape other :
          List.of(Shape.once(), Player.FIFO, Shape.semaphore(2), Shape.readWrite())) {
        assertThatThrownBy(() -> player.attempt(player.ticket("shape", other)))
            .isInstanceOf(EngineException.Refused.class)
            .hasMessageContaining("mutex in order ANY");
      }
      player.engine().leave(waits, false);
      assertThat(player.attempt(player.ticket("shape", Player.FIFO)))
          .isInstanceOf(Standing.Granted.class);
    }
  }

  @Test
  void those_whose_lease_has_ended_keep_no_shape() throws Exception {
    try (RedisServer server = RedisServer.start();
        Player player = new Player(server.uri(), "one")) {
      Ticket holder = player.ticket("shape", Player.MUTEX);
      player.in(holder);
      player.out(player.ticket("shape", Player.MUTEX));
      player.out(player.ticket("shape", Player.MUTEX).withLease(Duration.ofMillis(1)));
      // Passed on to the first, and then nobody but the dead one is left.
      player.engine().leave(holder, false);
      Ticket line = player.ticket("shape", Player.FIFO);
      Await.until("a line", BOUND, () -> player.attempt(line) instanceof Standing.Granted);
    }
  }
}
