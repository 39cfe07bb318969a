package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.layout.Keys;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** U06: tokens of a name rise, whatever happens to the server. */
class U06TokensIT {

  private static final Duration BOUND = Duration.ofSeconds(20);
  private static final String NAME = "risen";

  private RedisServer server;
  private Player player;

  static Stream<Shape> shapes() {
    return Stream.of(Player.MUTEX, Player.FIFO, Shape.semaphore(1));
  }

  @BeforeEach
  void start() {
    server = RedisServer.start();
    player = new Player(server.uri(), "one");
  }

  @AfterEach
  void stop() throws Exception {
    player.close();
    server.close();
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void they_rise_after_leaving_expiry_deletion_flush_and_restart(Shape shape) throws Exception {
    Ticket left = player.ticket(NAME, shape);
    long token = player.in(left);
    player.engine().leave(left, false);

    token = above(token, player.in(player.ticket(NAME, shape).withLease(Duration.ofMillis(20))));
    token = above(token, inAfter("expiry", shape));
    server.call("DEL", key('l'), key('q'), key('h'), key('e'));
    token = above(token, inAfter("deletion", shape));
    server.call("FLUSHALL");
    token = above(token, inAfter("flush", shape));
    server.restartEmpty();
    token = above(token, inAfter("restart", shape));
    assertThat(player.inspector().evict(Player.resource(NAME), token, "test"))
        .isEqualTo(Verdict.DONE);
    above(token, inAfter("eviction", shape));
  }

  private static String key(char part) {
    byte[] path = Keys.path(Player.resource(NAME));
    return Keys.tagText(Keys.bucket(path)) + ":" + part + ":default:" + NAME;
  }

  private static long above(long before, long after) {
    assertThat(after).isGreaterThan(before);
    return after;
  }

  private long inAfter(String what, Shape shape) {
    Ticket ticket = player.ticket(NAME, shape);
    return Await.value(
        "a grant after " + what,
        BOUND,
        () ->
            player.attempt(ticket) instanceof Standing.Granted granted
                ? Optional.of(granted.token())
                : Optional.empty());
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void they_are_exact_beyond_2_to_the_53(Shape shape) throws Exception {
    long before = 0;
    for (int i = 0; i < 200; i++) {
      Ticket ticket = player.ticket("exact", shape, 1, Token.MAX_GENERATION);
      long token = player.in(ticket);
      assertThat(token).isGreaterThan(Math.max(before, 1L << 53));
      assertThat(Token.generation(token)).isEqualTo(Token.MAX_GENERATION);
      assertThat(token % 1024).isZero();
      assertThat(player.in(ticket)).isEqualTo(token);
      // A neighbour is another grant, although a double could not tell them apart.
      assertThat(player.inspector().evict(ticket.resource(), token - 1024, "no"))
          .isEqualTo(Verdict.NOT_CURRENT);
      assertThat(player.inspector().show(ticket.resource()).orElseThrow().tickets().get(0).token())
          .isEqualTo(token);
      player.engine().leave(ticket, false);
      before = token;
    }
  }

  @Test
  void a_burst_on_one_bucket_repeats_none() throws Exception {
    long before = 0;
    for (int i = 0; i < 2_000; i++) {
      Ticket ticket = player.ticket("burst", Player.MUTEX);
      before = above(before, player.in(ticket));
      player.engine().leave(ticket, false);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void a_higher_generation_is_kept_and_a_lower_one_refused(Shape shape) throws Exception {
    Ticket low = player.ticket("generation", shape, 1, 3);
    long token = player.in(low);
    player.engine().leave(low, false);
    Ticket high = player.ticket("generation", shape, 1, 7);
    above(token, player.in(high));
    assertThatThrownBy(() -> player.attempt(player.ticket("generation", shape, 1, 3)))
        .isInstanceOf(EngineException.Refused.class)
        .hasMessageContaining("generation 7");
    player.engine().leave(high, false);
    assertThatThrownBy(() -> player.attempt(player.ticket("generation", shape, 1, 6)))
        .isInstanceOf(EngineException.Refused.class);
  }
}
