package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U44: the id of a ticket is the ownership, and nobody else gets to see it. */
class U44SecretsIT {

  private static final Duration WAIT = Duration.ofSeconds(5);
  private static final Pattern SECRET = Pattern.compile("[0-9a-f]{32}");

  private final List<String> shown = new CopyOnWriteArrayList<>();
  private final Logger log = Logger.getLogger("io.holdfast");
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord message) {
          shown.add(String.valueOf(message.getMessage()));
          show(message.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private RedisServer server;

  @BeforeEach
  void start() {
    log.setLevel(Level.ALL);
    log.addHandler(handler);
    server = RedisServer.start();
  }

  @AfterEach
  void stop() throws Exception {
    log.removeHandler(handler);
    log.setLevel(null);
    server.close();
  }

  private void show(Throwable failure) {
    if (failure != null) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      shown.add(trace.toString());
    }
  }

  @ParameterizedTest
  @EnumSource
  void no_listing_error_or_log_shows_the_id_of_a_ticket(Order order) throws Exception {
    try (Holdfast one = Holdfast.connect(server.uri() + "?holdfast.lease=2s");
        Holdfast other = Holdfast.connect(server.uri())) {
      Hold hold = one.with(o -> o.withOrder(order)).lock("a").acquire(WAIT);
      String secret = secretInTheStore();
      EngineInspector inspector = one.inspector().orElseThrow();
      show(
          catchThrowable(
              () -> other.with(o -> o.withOrder(order)).lock("a").acquire(Duration.ofMillis(300))));
      show(catchThrowable(() -> other.semaphore("a", 2).acquire(WAIT)));
      shown.add(inspector.show(Player.resource("a")) + " " + inspector.list("default", "", "", 9));
      shown.add(hold + " " + hold.id() + " " + one.health() + " " + other.health());
      inspector.evict(Player.resource("a"), hold.token(), "test");
      hold.onLoss(loss -> shown.add(loss.toString()));
      Await.until("the loss", WAIT, () -> hold.loss().isPresent());
      show(catchThrowable(hold::ensureHeld));
      server.process().kill9();
      show(catchThrowable(() -> other.lock("b").acquire(Duration.ofMillis(300))));
      assertThat(shown).hasSizeGreaterThan(6);
      assertThat(shown).noneMatch(text -> text.contains(secret));
    }
  }

  private String secretInTheStore() {
    StringBuilder all = new StringBuilder();
    for (String key : server.call("KEYS", "*:l:*").lines().toList()) {
      boolean line = server.call("TYPE", key).equals("hash");
      all.append(line ? server.call("HGETALL", key) : server.call("GET", key)).append(' ');
    }
    Matcher secret = SECRET.matcher(all);
    assertThat(secret.find()).isTrue();
    return secret.group();
  }

  @Test
  void without_the_id_nothing_can_be_released_or_renewed() throws Exception {
    for (Shape shape : List.of(Player.MUTEX, Player.FIFO, Shape.semaphore(1))) {
      try (Player player = new Player(server.uri(), "one");
          Player thief = new Player(server.uri(), "one")) {
        String name = "kept/" + shape;
        Ticket ticket = player.ticket(name, shape);
        long token = player.in(ticket);
        // The same owner, name and number; only the secret is another.
        Ticket guess = thief.ticket(name, shape);
        assertThat(guess.id().number()).isEqualTo(ticket.id().number());
        assertThat(thief.engine().leave(guess, true)).isEqualTo(Left.NOTHING);
        assertThat(thief.engine().renew(guess)).isInstanceOf(Renewal.Gone.class);
        assertThat(player.in(ticket)).isEqualTo(token);
      }
    }
  }

  @Test
  void ids_do_not_repeat_from_client_to_client() throws Exception {
    try (Holdfast one = Holdfast.connect(server.uri());
        Holdfast other = Holdfast.connect(server.uri())) {
      Hold first = one.lock("x").acquire(WAIT);
      String secret = secretInTheStore();
      first.release();
      Hold second = other.lock("x").acquire(WAIT);
      assertThat(secretInTheStore()).isNotEqualTo(secret);
      assertThat(second.id()).isNotEqualTo(first.id()).doesNotContain(secret);
      second.release();
    }
  }
}
