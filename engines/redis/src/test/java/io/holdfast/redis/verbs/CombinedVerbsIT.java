package io.holdfast.redis.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.Player;
import io.holdfast.redis.layout.Keys;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many verbs in one call: each fares as it would have by itself. */
class CombinedVerbsIT {

  /** Two full combined scripts, which take 64 verbs each, and two verbs more. */
  private static final int MANY = 2 * 64 + 2;

  private RedisServer server;
  private Player player;
  private LockEngine lane;

  @BeforeEach
  void start() throws Exception {
    server = RedisServer.start();
    player = new Player(server.uri(), "one");
    lane = player.engine().lane();
  }

  @AfterEach
  void stop() throws Exception {
    lane.close();
    player.close();
    server.close();
  }

  private List<Ticket> tickets(int from, int many, Shape shape) {
    return IntStream.range(from, from + many)
        .mapToObj(i -> player.ticket("order/" + i, shape))
        .toList();
  }

  private List<Kept<Standing>> attempt(List<Ticket> tickets) {
    List<Kept<Standing>> answers = new ArrayList<>();
    List<Verb> batch = new ArrayList<>();
    for (Ticket ticket : tickets) {
      Kept<Standing> kept = new Kept<>();
      answers.add(kept);
      batch.add(new Verb.Attempt(ticket, () -> {}, kept));
    }
    lane.perform(batch);
    return answers;
  }

  private List<Kept<Left>> leave(List<Ticket> tickets) {
    List<Kept<Left>> answers = new ArrayList<>();
    List<Verb> batch = new ArrayList<>();
    for (Ticket ticket : tickets) {
      Kept<Left> kept = new Kept<>();
      answers.add(kept);
      batch.add(new Verb.Leave(ticket, false, kept));
    }
    lane.perform(batch);
    return answers;
  }

  private long scripts() {
    return Long.parseLong(server.info("cmdstat_evalsha").replaceAll("calls=(\\d+),.*", "$1"));
  }

  /** So that the buckets have their records, which the first grant of each makes. */
  private void useOnce(int many) {
    List<Ticket> first = tickets(0, many, Player.MUTEX);
    attempt(first).forEach(kept -> assertThat(kept.answer).isInstanceOf(Standing.Granted.class));
    leave(first).forEach(kept -> assertThat(kept.answer).isEqualTo(Left.HOLDING));
  }

  @Test
  void those_that_nobody_is_in_the_way_of_need_one_script_and_get_a_token_each() {
    useOnce(MANY);
    long before = scripts();
    List<Ticket> tickets = tickets(0, MANY, Player.MUTEX);
    List<Long> tokens = new ArrayList<>();
    for (Kept<Standing> kept : attempt(tickets)) {
      assertThat(kept.answer).isInstanceOf(Standing.Granted.class);
      tokens.add(((Standing.Granted) kept.answer).token());
    }
    for (Kept<Left> kept : leave(tickets)) {
      assertThat(kept.answer).isEqualTo(Left.HOLDING);
    }
    assertThat(scripts() - before).isEqualTo(6);
    // Names of different buckets may have the same token; of one bucket they rise.
    assertThat(tokens).hasSize(MANY);
    Map<Integer, Long> last = new HashMap<>();
    for (int i = 0; i < MANY; i++) {
      int bucket = Keys.bucket(Keys.path(tickets.get(i).resource()));
      Long lower = last.put(bucket, tokens.get(i));
      assertThat(tokens.get(i)).as("%s", tickets.get(i)).isGreaterThan(lower == null ? 0 : lower);
    }
    assertThat(server.call("KEYS", "*:l:*")).isEmpty();
  }

  @Test
  void two_of_one_bucket_get_rising_tokens_and_the_counter_is_not_below_them() throws Exception {
    List<Ticket> twins = twins();
    attempt(twins);
    leave(twins);
    List<Kept<Standing>> again = attempt(twins());
    long first = ((Standing.Granted) again.get(0).answer).token();
    long second = ((Standing.Granted) again.get(1).answer).token();
    assertThat(second).isGreaterThan(first);
    int bucket = Keys.bucket(Keys.path(twins.get(0).resource()));
    long counter = Long.parseLong(server.call("GET", Keys.tagText(bucket)));
    assertThat(counter * 1024).isEqualTo(second);
  }

  /** Two resources of one bucket. */
  private List<Ticket> twins() {
    int bucket = Keys.bucket(Keys.path(Player.resource("twin/0")));
    int other =
        IntStream.iterate(1, i -> i + 1)
            .filter(i -> Keys.bucket(Keys.path(Player.resource("twin/" + i))) == bucket)
            .findFirst()
            .orElseThrow();
    return List.of(
        player.ticket("twin/0", Player.MUTEX), player.ticket("twin/" + other, Player.MUTEX));
  }

  @Test
  void one_that_is_held_waits_and_one_that_is_wanted_is_passed_on() throws Exception {
    useOnce(3);
    try (Player rival = new Player(server.uri(), "other")) {
      Ticket held = rival.ticket("order/1", Player.MUTEX);
      rival.in(held);
      List<Ticket> tickets = tickets(0, 3, Player.MUTEX);
      List<Kept<Standing>> answers = attempt(tickets);
      assertThat(answers.get(0).answer).isInstanceOf(Standing.Granted.class);
      assertThat(answers.get(1).answer).isInstanceOf(Standing.Waiting.class);
      assertThat(answers.get(2).answer).isInstanceOf(Standing.Granted.class);

      // Ours is wanted now, so that its leave must pass it on.
      rival.out(rival.ticket("order/0", Player.MUTEX));
      List<Kept<Left>> left = leave(tickets);
      assertThat(left.get(0).answer).isEqualTo(Left.HOLDING);
      assertThat(left.get(1).answer).isEqualTo(Left.WAITING);
      assertThat(left.get(2).answer).isEqualTo(Left.HOLDING);
      assertThat(server.call("EXISTS", key('l', 2))).isEqualTo("0");
      assertThat(rival.engine().leave(held, false)).isEqualTo(Left.HOLDING);
    }
  }

  @Test
  void a_foreign_key_in_the_way_of_one_is_named_to_that_one_alone() {
    useOnce(4);
    server.call("RPUSH", key('l', 1), "mine");
    server.call("DEL", tag(2));
    server.call("RPUSH", tag(2), "mine");
    List<Ticket> tickets = tickets(0, 4, Player.MUTEX);
    List<Kept<Standing>> answers = attempt(tickets);
    assertThat(answers.get(0).answer).isInstanceOf(Standing.Granted.class);
    assertThat(answers.get(1).failure)
        .isInstanceOf(EngineException.Refused.class)
        .hasMessageContaining("order/1");
    assertThat(answers.get(2).failure)
        .isInstanceOf(EngineException.Refused.class)
        .hasMessageContaining("order/2");
    assertThat(answers.get(3).answer).isInstanceOf(Standing.Granted.class);
    assertThat(leave(tickets).stream().map(kept -> kept.answer))
        .containsExactly(Left.HOLDING, Left.NOTHING, Left.NOTHING, Left.HOLDING);
    assertThat(server.call("LRANGE", key('l', 1), "0", "-1")).isEqualTo("mine");
    assertThat(server.call("LRANGE", tag(2), "0", "-1")).isEqualTo("mine");
  }

  @Test
  void one_that_has_left_in_doubt_does_not_come_back_with_the_others() throws Exception {
    useOnce(2);
    List<Ticket> tickets = tickets(0, 2, Player.MUTEX);
    player.engine().leave(tickets.get(0), true);
    List<Kept<Standing>> answers = attempt(tickets);
    assertThat(answers.get(0).failure).isInstanceOf(EngineException.Refused.class);
    assertThat(answers.get(1).answer).isInstanceOf(Standing.Granted.class);
  }

  @Test
  void one_that_asks_again_has_the_token_that_it_had() {
    useOnce(2);
    List<Ticket> tickets = tickets(0, 2, Player.MUTEX);
    List<Standing> first = attempt(tickets).stream().map(kept -> kept.answer).toList();
    List<Standing> again = attempt(tickets).stream().map(kept -> kept.answer).toList();
    assertThat(again).isEqualTo(first);
  }

  @Test
  void another_shape_is_refused_and_a_run_of_once_gets_in() {
    useOnce(3);
    attempt(tickets(0, 1, Shape.once()));
    List<Ticket> tickets =
        List.of(
            player.ticket("order/0", Player.MUTEX),
            player.ticket("order/1", Shape.once()),
            player.ticket("order/2", Player.FIFO));
    List<Kept<Standing>> answers = attempt(tickets);
    assertThat(answers.get(0).failure)
        .isInstanceOf(EngineException.Refused.class)
        .hasMessageContaining("once");
    assertThat(answers.get(1).answer).isInstanceOf(Standing.Granted.class);
    assertThat(answers.get(2).answer).isInstanceOf(Standing.Granted.class);
    assertThat(leave(tickets.subList(1, 3)).stream().map(kept -> kept.answer))
        .containsExactly(Left.HOLDING, Left.HOLDING);
  }

  @Test
  void a_server_that_will_not_have_them_together_is_asked_one_by_one() throws Exception {
    useOnce(3);
    server.call("ACL", "SETUSER", "half", "on", ">pw", "~" + tag(0) + "*", "&*", "+@all");
    String uri = server.uri().replace("//", "//half:pw@");
    try (Player half = new Player(uri, "half");
        LockEngine itsLane = half.engine().lane()) {
      lane.close();
      lane = itsLane;
      List<Ticket> tickets =
          IntStream.range(0, 2).mapToObj(i -> half.ticket("order/" + i, Player.MUTEX)).toList();
      List<Kept<Standing>> answers = attempt(tickets);
      assertThat(answers.get(0).answer).isInstanceOf(Standing.Granted.class);
      assertThat(answers.get(1).failure)
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("rights");
      assertThat(leave(tickets).get(0).answer).isEqualTo(Left.HOLDING);
    }
  }

  private static String tag(int number) {
    return Keys.tagText(Keys.bucket(Keys.path(Player.resource("order/" + number))));
  }

  private static String key(char part, int number) {
    return tag(number) + ":" + part + ":default:order/" + number;
  }

  /** The answer of one verb. */
  private static final class Kept<T> implements Verb.Answer<T> {
    private T answer;
    private EngineException failure;

    @Override
    public void answered(T value) {
      answer = value;
    }

    @Override
    public void failed(EngineException why) {
      failure = why;
    }
  }
}
