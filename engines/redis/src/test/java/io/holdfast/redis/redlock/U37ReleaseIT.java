package io.holdfast.redis.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.redis.RedisOptions;
import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken is given back everywhere, and who says what is told. */
@Isolated
@Timeout(60)
class U37ReleaseIT {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration LONG = Duration.ofSeconds(20);

  private RedisMasters masters;

  @BeforeEach
  void start() {
    masters = Redlocks.masters(5);
  }

  @AfterEach
  void stop() {
    masters.close();
  }

  @Test
  @DisplayName("U37 a release reaches the master that did not answer the acquire")
  void releaseReachesTheSilent() throws Exception {
    try (Contender a = contender("a")) {
      warm(a, "silent");
      masters.pause(4);
      Ticket ticket = a.ticket("silent");
      a.in(ticket);
      assertThat(a.leave(ticket)).isEqualTo(Left.HOLDING);
      assertThat(owed(a)).isEqualTo(1);
      masters.resume(4);
      long resumed = System.nanoTime();
      Await.until("nothing is owed", LONG, () -> owed(a) == 0);
      Figures.print(
          "release reached the master that stood still %.0f ms after it went on",
          Figures.millis(System.nanoTime() - resumed));
      // The attempt was in its socket, and ran before or after the release.
      Await.until("it is free there", Duration.ofSeconds(2), () -> held(4).isEmpty());
      assertThat(tombstones(4)).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NOREPLICAS", "NOPERM"})
  @DisplayName("U37 a release that a master answers with an error is told again until it is done")
  void releaseIsToldUntilItIsDone(String error) throws Exception {
    try (Contender a = contender("a")) {
      warm(a, "error");
      Ticket ticket = a.ticket("error");
      a.in(ticket);
      Await.until("it is held there", LONG, () -> held(4).size() == 1);
      answerWith(error, true);
      assertThat(a.leave(ticket)).isEqualTo(Left.HOLDING);
      Await.until("it is told again and again", LONG, () -> errors(4, error) >= 4);
      assertThat(owed(a)).isEqualTo(1);
      assertThat(held(4)).hasSize(1);
      answerWith(error, false);
      long well = System.nanoTime();
      Await.until("nothing is owed", LONG, () -> owed(a) == 0);
      Figures.print(
          "release reached the master that said %s %.0f ms after it was well, told %d times before",
          error, Figures.millis(System.nanoTime() - well), errors(4, error));
      assertThat(held(4)).isEmpty();
      assertThat(tombstones(4)).hasSize(1);
    }
  }

  /** From now on the last master says this to what is to change something, or does it again. */
  private void answerWith(String error, boolean on) {
    if (error.equals("NOPERM")) {
      String sign = on ? "-" : "+";
      masters.server(4).call("ACL", "SETUSER", "default", sign + "evalsha", sign + "eval");
    } else {
      masters.server(4).call("CONFIG", "SET", "min-replicas-to-write", on ? "1" : "0");
    }
  }

  private long errors(int master, String error) {
    String count = masters.server(master).info("errorstat_" + error);
    return Long.parseLong(count.substring("count=".length()));
  }

  @Test
  @DisplayName("U37 an acquire without a majority gives back what it got, also from the silent")
  void failureGivesBack() throws Exception {
    try (Contender a = contender("a")) {
      warm(a, "failed");
      List.of(2, 3, 4).forEach(masters::pause);
      Ticket ticket = a.ticket("failed");
      Throwable failure = catchThrowable(() -> a.attempt(ticket));
      Figures.print("no majority: %s", failure.getMessage());
      assertThat(failure)
          .isInstanceOf(EngineException.Unknown.class)
          .hasMessageContaining("got no majority, which is 3 of 5")
          .hasMessageContaining(address(0) + " granted")
          .hasMessageContaining(address(1) + " granted")
          .hasMessageContaining(address(2) + " did not reply within 50 ms");
      assertThat(held(0)).isEmpty();
      assertThat(held(1)).isEmpty();
      List.of(2, 3, 4).forEach(masters::resume);
      Await.until("nothing is owed", LONG, () -> owed(a) == 0);
      for (int i = 2; i < 5; i++) {
        int master = i;
        Await.until("free at " + i, Duration.ofSeconds(2), () -> held(master).isEmpty());
      }
      // What was taken back up to its ballot may be asked for with a larger one.
      Await.until("in", LONG, () -> a.attempt(ticket) instanceof Standing.Granted);
      assertThat(a.leave(ticket)).isEqualTo(Left.HOLDING);
    }
  }

  @Test
  @DisplayName("U37 the error says of each master what it said")
  void eachMasterIsNamed() throws Exception {
    try (Contender a = contender("a");
        Contender b = contender("b")) {
      warm(a, "named");
      warm(b, "named");
      Ticket held = b.ticket("named");
      b.in(held);
      String key = held(0).get(0);
      for (int i = 1; i < 5; i++) {
        masters.server(i).call("DEL", key);
      }
      masters.server(2).call("HSET", key, "not", "ours");
      masters.kill9(3);
      masters.pause(4);
      a.passThrough("other");
      Throwable failure = catchThrowable(() -> a.attempt(a.ticket("named")));
      Figures.print("each named: %s", failure.getMessage());
      assertThat(failure)
          .isInstanceOf(EngineException.class)
          .hasMessageContaining(address(0) + " held by \"b pid 1 on test, thread main\"")
          .hasMessageContaining(address(1) + " is free for ballots above ")
          .hasMessageContaining(address(2) + " said to redlock-attempt: WRONGTYPE")
          .hasMessageContaining(address(3) + " is not connected: ")
          .hasMessageContaining(address(4) + " ");
      assertThat(held(1)).as("given back").isEmpty();
    }
  }

  @Test
  @DisplayName("U37 a killed master is used again by itself when it is back")
  void comesBack() throws Exception {
    try (Contender a = contender("a")) {
      a.passThrough("back");
      masters.kill9(2);
      a.passThrough("back");
      masters.restart(2);
      long started = System.nanoTime();
      Await.until(
          "it is held at the master that was away",
          LONG,
          () -> {
            Ticket ticket = a.ticket("back");
            a.in(ticket);
            boolean there = !held(2).isEmpty();
            a.leave(ticket);
            return there;
          });
      Figures.print(
          "a master is used again %.0f ms after it was back",
          Figures.millis(System.nanoTime() - started));
    }
  }

  @Test
  @DisplayName("U37 a server that is also used alone has two locks of a name, and no key of both")
  void separateFromOneServer() throws Exception {
    RedisServer shared = masters.server(0);
    try (Contender a = contender("a");
        Holdfast alone = Holdfast.connect(shared.uri());
        Hold hold = alone.lock("both").acquire(LONG)) {
      List<String> before = keys(shared, "?");
      Ticket ticket = a.ticket("both");
      long token = a.in(ticket);
      a.attempt(a.ticket("both"));
      List<String> both = keys(shared, "?");
      assertThat(both).containsAll(before);
      assertThat(both.stream().filter(key -> !before.contains(key)))
          .allMatch(key -> key.matches("\\{hf:...\\}:[rpby]:.*"))
          .hasSize(3);
      assertThat(a.in(ticket)).isEqualTo(token);
      hold.ensureHeld();
      assertThat(a.leave(ticket)).isEqualTo(Left.HOLDING);
    }
  }

  private Contender contender(String name) throws EngineException {
    RedisOptions options = Redlocks.options(masters);
    return new Contender(name, Redlocks.open(options), LEASE);
  }

  /** Connects, and makes the bucket of a name known to all that can be reached. */
  private static void warm(Contender contender, String name) {
    Await.until("connected", LONG, () -> contender.passThrough(name) > 0);
    Await.until("connected to all that are up", LONG, () -> contender.passThrough(name) > 0);
    long before = owed(contender);
    Await.until("told what it owes", LONG, () -> before == 0 || owed(contender) < before);
  }

  private static long owed(Contender contender) {
    Long owed = contender.engine().condition().counters().get("redlock.owed");
    return owed == null ? -1 : owed;
  }

  private String address(int master) {
    return "127.0.0.1:" + masters.server(master).port();
  }

  private List<String> held(int master) {
    return keys(masters.server(master), "r");
  }

  private List<String> tombstones(int master) {
    return keys(masters.server(master), "y");
  }

  private static List<String> keys(RedisServer server, String part) {
    return server.call("KEYS", "{hf:*}:" + part + ":*").lines().filter(k -> !k.isEmpty()).toList();
  }
}
