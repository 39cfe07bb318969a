package io.holdfast.redis.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.Player;
import io.holdfast.redis.signals.CountingWake;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.EngineInspector.TicketView.State;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the kit cannot know of: keys of others, patterns, leases of marks. */
class RedisInspectorIT {

  private static final Duration BOUND = Duration.ofSeconds(5);

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

  static List<Shape> mutexes() {
    return List.of(Player.MUTEX, Player.FIFO, Shape.semaphore(1));
  }

  private EngineInspector inspector() {
    return player.inspector();
  }

  private List<String> names(String prefix) throws Exception {
    return inspector().list("default", prefix, "", 1000).stream()
        .map(line -> line.resource().name())
        .toList();
  }

  @Test
  void patterns_in_names_are_letters_like_others() throws Exception {
    List<String> odd = List.of("a*", "a?", "a[b]", "a\\", "a\\*", "a^-", "ab", "{hf:000}", "a:b");
    for (String name : odd) {
      player.in(player.ticket(name, Player.MUTEX));
    }
    assertThat(names("")).containsExactlyInAnyOrderElementsOf(odd);
    assertThat(names("a*")).containsExactly("a*");
    assertThat(names("a?")).containsExactly("a?");
    assertThat(names("a[")).containsExactly("a[b]");
    assertThat(names("a\\")).containsExactly("a\\", "a\\*");
    assertThat(names("[a]")).isEmpty();
  }

  @Test
  void only_what_is_ours_is_listed_page_by_page() throws Exception {
    for (int i = 0; i < 3_000; i++) {
      server.call("SET", "cache:" + i, "x");
    }
    // Right in form, wrong in place; and not a name.
    server.call("SET", "{hf:000}:l:default:a-name-of-another-bucket", "m x 1024 0 0 o");
    server.call("RPUSH", "{hf:000}:l:default:zzz", "x");
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      expected.add((i % 3 == 0 ? "\u4e2d" : i % 3 == 1 ? "\ud83d\ude00" : "z") + i);
      player.in(player.ticket(expected.get(i), i % 2 == 0 ? Player.MUTEX : Player.FIFO));
    }
    expected.sort(
        (a, b) ->
            Arrays.compareUnsigned(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
    List<String> listed = new ArrayList<>();
    List<LineView> page = inspector().list("default", "", "", 100);
    while (!page.isEmpty()) {
      page.forEach(line -> listed.add(line.resource().name()));
      page = inspector().list("default", "", listed.get(listed.size() - 1), 100);
    }
    assertThat(listed).containsExactlyElementsOf(expected);
  }

  @ParameterizedTest
  @MethodSource("mutexes")
  void one_that_was_asked_to_go_is_shown_so_until_it_went(Shape shape) throws Exception {
    Ticket holder = player.ticket("asked", shape);
    Ticket waiter = rival.ticket("asked", shape);
    long token = player.in(holder);
    rival.out(waiter);
    assertThat(inspector().revoke(holder.resource(), token + 1023, "why \u00fc"))
        .isEqualTo(Verdict.DONE);
    assertThat(inspector().show(holder.resource()).orElseThrow().tickets())
        .extracting(TicketView::state)
        .containsExactly(State.REVOKED, State.WAITING);
    assertThat(player.engine().renew(holder))
        .isEqualTo(new Renewal.Gone(Renewal.Cause.REVOKED, "why \u00fc"));
    assertThat(player.engine().leave(holder, false)).isEqualTo(Left.HOLDING);
    assertThat(inspector().revoke(holder.resource(), token, "again"))
        .isEqualTo(Verdict.NOT_CURRENT);
    rival.in(waiter);
  }

  @ParameterizedTest
  @MethodSource("mutexes")
  void evicting_tells_the_next_at_once(Shape shape) throws Exception {
    Ticket holder = player.ticket("evicted", shape);
    Ticket waiter = rival.ticket("evicted", shape);
    long token = player.in(holder);
    rival.out(waiter).awaitMoreThan(0, BOUND);
    CountingWake rung = rival.out(waiter);
    assertThat(inspector().evict(holder.resource(), token, "stuck")).isEqualTo(Verdict.DONE);
    rung.awaitMoreThan(0, BOUND);
    rival.in(waiter);
    assertThat(player.engine().leave(holder, false)).isEqualTo(Left.NOTHING);
    assertThat(inspector().show(holder.resource()).orElseThrow().tickets()).hasSize(1);
  }

  @Test
  void one_of_several_holders_is_evicted_and_its_room_is_free() throws Exception {
    Shape three = Shape.semaphore(3);
    Ticket large = player.ticket("room", three, 2);
    Ticket small = player.ticket("room", three);
    Ticket waiter = rival.ticket("room", three, 2);
    long token = player.in(large);
    player.in(small);
    rival.out(waiter);
    inspector().evict(large.resource(), token, "too large");
    rival.in(waiter);
    assertThat(player.engine().renew(small)).isInstanceOf(Renewal.Renewed.class);
    LineView line = inspector().show(large.resource()).orElseThrow();
    assertThat(line.shape()).isEqualTo(three);
    assertThat(line.tickets()).extracting(TicketView::weight).containsExactly(1, 2);
  }

  @Test
  void a_mark_is_shown_with_its_time_and_without_tickets() throws Exception {
    Ticket runner = player.ticket("marked", Shape.once());
    player.in(runner);
    player.engine().settle(runner, Duration.ofMinutes(1));
    LineView line = inspector().show(runner.resource()).orElseThrow();
    assertThat(line.shape()).isEqualTo(Shape.once());
    assertThat(line.tickets()).isEmpty();
    assertThat(line.marked().orElseThrow())
        .isBetween(Duration.ofSeconds(50), Duration.ofMinutes(1));
    assertThat(names("")).containsExactly("marked");
  }

  @ParameterizedTest
  @MethodSource("mutexes")
  void those_whose_lease_has_ended_are_not_shown(Shape shape) throws Exception {
    Ticket holder = player.ticket("ended", shape);
    player.in(holder);
    rival.out(rival.ticket("ended", shape).withLease(Duration.ofMillis(30)));
    Await.until(
        "the end of the waiter",
        BOUND,
        () -> inspector().show(holder.resource()).orElseThrow().tickets().size() == 1);
    player.engine().leave(holder, false);
    assertThat(inspector().show(holder.resource())).isEmpty();
    assertThat(names("")).isEmpty();
  }

  @Test
  void a_long_line_is_shown_whole() throws Exception {
    Shape wide = Shape.semaphore(Shape.MAX_PERMITS);
    for (int i = 0; i < 10_000; i++) {
      player.in(player.ticket("long", wide));
    }
    LineView line = inspector().show(Player.resource("long")).orElseThrow();
    assertThat(line.tickets()).hasSize(10_000);
    assertThat(line.tickets()).isSortedAccordingTo((a, b) -> Long.compare(a.token(), b.token()));
    long last = line.tickets().get(9_999).token();
    assertThat(inspector().evict(Player.resource("long"), last, "test")).isEqualTo(Verdict.DONE);
  }

  @Test
  void a_closed_engine_shows_nothing() throws Exception {
    EngineInspector kept = inspector();
    player.engine().close();
    assertThatThrownBy(() -> kept.list("default", "", "", 1)).hasMessageContaining("closed");
  }
}
