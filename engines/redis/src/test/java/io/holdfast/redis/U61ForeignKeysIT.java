package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.layout.Keys;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** U61: keys of other programs in the place of ours. */
class U61ForeignKeysIT {

  private static final String NAME = "shadowed";

  private RedisServer server;
  private Player player;
  private Player rival;

  @BeforeEach
  void start() {
    server = RedisServer.start();
    player = new Player(server.uri(), "one");
    rival = new Player(server.uri(), "other");
  }

  @AfterEach
  void stop() throws Exception {
    player.close();
    rival.close();
    server.close();
  }

  static Stream<Shape> shapes() {
    return Stream.of(Player.MUTEX, Shape.once(), Player.FIFO, Shape.semaphore(2));
  }

  private static String tag() {
    return Keys.tagText(Keys.bucket(Keys.path(Player.resource(NAME))));
  }

  private static String key(char part) {
    return tag() + ":" + part + ":default:" + NAME;
  }

  /** Commands that put something foreign of each type under a key. */
  private static List<List<String>> foreign(String key) {
    return List.of(
        List.of("SET", key, "mine"),
        List.of("RPUSH", key, "mine"),
        List.of("HSET", key, "mine", "too"),
        List.of("SADD", key, "mine"),
        List.of("ZADD", key, "1", "mine"),
        List.of("XADD", key, "1-1", "mine", "too"));
  }

  private String put(List<String> command) {
    server.call("FLUSHALL");
    server.call(command.toArray(String[]::new));
    return server.call("DUMP", command.get(1));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void what_is_in_the_place_of_a_lock_is_named_and_left_untouched(Shape shape) throws Exception {
    for (List<String> command : foreign(key('l'))) {
      String before = put(command);
      Ticket ticket = player.ticket(NAME, shape);
      assertThatThrownBy(() -> player.attempt(ticket))
          .as("%s", command)
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining(tag() + ":l:")
          .hasMessageContaining(NAME);
      assertThat(player.engine().renew(ticket)).isInstanceOf(Renewal.Gone.class);
      assertThat(player.engine().leave(ticket, false)).isEqualTo(Left.NOTHING);
      assertThatThrownBy(() -> player.inspector().show(ticket.resource()))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining(tag());
      assertThat(player.inspector().list("default", "", "", 10)).isEmpty();
      assertThat(server.call("DUMP", key('l'))).as("%s", command).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void what_is_in_the_place_of_a_bucket_is_named_and_left_untouched(Shape shape) throws Exception {
    for (List<String> command : foreign(tag())) {
      String before = put(command);
      assertThatThrownBy(() -> player.attempt(player.ticket(NAME, shape)))
          .as("%s", command)
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining(tag())
          .hasMessageContaining(NAME);
      assertThat(server.call("DUMP", tag())).isEqualTo(before);
      assertThat(server.call("DBSIZE")).isEqualTo("1");
    }
  }

  @Test
  void what_is_in_the_place_of_waiters_stops_them_and_not_the_holder() throws Exception {
    for (char part : new char[] {'w', 'i'}) {
      for (List<String> command : foreign(key(part))) {
        String type = part == 'w' ? "ZADD" : "HSET";
        if (command.get(0).equals(type)) {
          continue; // As ours are: nothing in it is overwritten.
        }
        String before = put(command);
        Ticket holder = player.ticket(NAME, Player.MUTEX);
        player.in(holder);
        assertThatThrownBy(() -> rival.attempt(rival.ticket(NAME, Player.MUTEX)))
            .as("%s", command)
            .isInstanceOf(EngineException.Refused.class)
            .hasMessageContaining(tag());
        assertThat(player.engine().renew(holder)).isInstanceOf(Renewal.Renewed.class);
        assertThat(player.engine().leave(holder, false)).isEqualTo(Left.HOLDING);
        assertThat(server.call("DUMP", key(part))).as("%s", command).isEqualTo(before);
        // The foreign key and the bucket.
        assertThat(server.call("DBSIZE")).isEqualTo("2");
      }
    }
  }

  @Test
  void what_is_in_the_place_of_parts_of_a_line_leaves_no_half_of_one() throws Exception {
    for (char part : new char[] {'q', 'h', 'e'}) {
      for (List<String> command : foreign(key(part))) {
        if (command.get(0).equals("ZADD")) {
          continue; // As ours are: nothing in it is overwritten.
        }
        String before = put(command);
        Ticket first = player.ticket(NAME, Player.FIFO);
        Ticket second = rival.ticket(NAME, Player.FIFO);
        assertThatThrownBy(
                () -> {
                  Standing standing = player.attempt(first);
                  assertThat(standing).isInstanceOf(Standing.Granted.class);
                  rival.attempt(second);
                })
            .as("%s", command)
            .isInstanceOf(EngineException.Refused.class)
            .hasMessageContaining(tag());
        assertThat(server.call("DUMP", key(part))).as("%s", command).isEqualTo(before);
        for (String left : server.call("KEYS", "*").lines().toList()) {
          if (!left.equals(key(part)) && !left.equals(tag())) {
            assertThat(Long.parseLong(server.call("PTTL", left))).as("%s", left).isPositive();
          }
        }
      }
    }
  }
}
