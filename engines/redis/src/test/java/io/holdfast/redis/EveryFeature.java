package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.StaleTokenException;
import io.holdfast.redis.signals.CountingWake;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Does all that Holdfast does with a store once, and fails if anything of it does not work. */
final class EveryFeature {

  private static final Duration SIGNAL = Duration.ofMillis(1500);
  private static final AtomicInteger ROUNDS = new AtomicInteger();

  private final Player one;
  private final Player other;
  private final String round = "round" + ROUNDS.incrementAndGet() + "/";

  private EveryFeature(Player one, Player other) {
    this.one = one;
    this.other = other;
  }

  /** By an address with a login. */
  static void at(String uri) throws Exception {
    try (Player one = new Player(uri, "one");
        Player other = new Player(uri, "other")) {
      EveryFeature features = new EveryFeature(one, other);
      features.mutex();
      features.once();
      features.line();
      features.semaphore();
      features.readersAndWriters();
      features.inspector();
      assertThat(one.engine().condition().warnings()).isEmpty();
      assertThat(other.engine().condition().warnings()).isEmpty();
    }
    guard(uri);
  }

  private void mutex() throws Exception {
    handedOnBySignal(Player.MUTEX, "mutex");
    Ticket holder = one.ticket(round + "left", Player.MUTEX);
    Ticket waiter = other.ticket(round + "left", Player.MUTEX);
    one.in(holder);
    other.out(waiter);
    assertThat(other.engine().leave(waiter, false)).isEqualTo(Left.WAITING);
    assertThat(one.engine().leave(holder, false)).isEqualTo(Left.HOLDING);
  }

  private void handedOnBySignal(Shape shape, String name) throws Exception {
    Ticket holder = one.ticket(round + name, shape);
    Ticket waiter = other.ticket(round + name, shape);
    long token = one.in(holder);
    assertThat(one.in(holder)).isEqualTo(token);
    assertThat(one.engine().renew(holder)).isInstanceOf(Renewal.Renewed.class);
    // Signals are on when the channel was confirmed, which is told like a signal.
    other.out(waiter).awaitMoreThan(0, SIGNAL);
    CountingWake rung = other.out(waiter);
    assertThat(one.engine().leave(holder, true)).isEqualTo(Left.HOLDING);
    rung.awaitMoreThan(0, SIGNAL);
    assertThat(other.in(waiter)).isGreaterThan(token);
    assertThat(other.engine().leave(waiter, false)).isEqualTo(Left.HOLDING);
  }

  private void once() throws Exception {
    Ticket runner = one.ticket(round + "once", Shape.once());
    Ticket waiter = other.ticket(round + "once", Shape.once());
    one.in(runner);
    CountingWake rung = other.out(waiter);
    assertThat(one.engine().settle(runner, Duration.ofSeconds(5))).isTrue();
    rung.awaitMoreThan(0, SIGNAL);
    assertThat(other.attempt(waiter)).isInstanceOf(Standing.Done.class);
    LineView marked = one.inspector().show(Player.resource(round + "once")).orElseThrow();
    assertThat(marked.marked()).isPresent();
  }

  private void line() throws Exception {
    Ticket holder = one.ticket(round + "line", Player.FIFO);
    Ticket second = other.ticket(round + "line", Player.FIFO);
    Ticket third = other.ticket(round + "line", Player.FIFO);
    one.in(holder);
    assertThat(one.engine().renew(holder)).isInstanceOf(Renewal.Renewed.class);
    CountingWake rung = other.out(second);
    other.out(third);
    assertThat(one.engine().leave(holder, true)).isEqualTo(Left.HOLDING);
    rung.awaitMoreThan(0, SIGNAL);
    other.in(second);
    assertThat(other.engine().leave(third, false)).isEqualTo(Left.WAITING);
    assertThat(other.engine().leave(second, false)).isEqualTo(Left.HOLDING);
  }

  private void semaphore() throws Exception {
    Ticket first = one.ticket(round + "semaphore", Shape.semaphore(2));
    Ticket large = other.ticket(round + "semaphore", Shape.semaphore(2), 2);
    one.in(first);
    CountingWake rung = other.out(large);
    assertThat(one.engine().resize(first.withShape(Shape.semaphore(3)))).isTrue();
    rung.awaitMoreThan(0, SIGNAL);
    other.in(large.withShape(Shape.semaphore(3)));
    one.engine().leave(first, false);
    other.engine().leave(large, false);
  }

  private void readersAndWriters() throws Exception {
    Ticket writer = one.ticket(round + "rw", Shape.readWrite(), Shape.READ_WRITE_CAPACITY);
    Ticket reader = other.ticket(round + "rw", Shape.readWrite());
    one.in(writer);
    CountingWake rung = other.out(reader);
    one.in(writer.withWeight(1));
    rung.awaitMoreThan(0, SIGNAL);
    other.in(reader);
    one.engine().leave(writer, false);
    other.engine().leave(reader, false);
  }

  private void inspector() throws Exception {
    for (Shape shape : List.of(Player.MUTEX, Player.FIFO)) {
      Resource resource = Player.resource(round + "shown/" + shape.order());
      Ticket holder = one.ticket(resource.name(), shape);
      Ticket waiter = other.ticket(resource.name(), shape);
      long token = one.in(holder);
      other.out(waiter);
      LineView line = one.inspector().show(resource).orElseThrow();
      assertThat(line.tickets()).hasSize(2);
      assertThat(one.inspector().list("default", round + "shown/", "", 10))
          .extracting(LineView::resource)
          .contains(resource);
      assertThat(one.inspector().revoke(resource, token, "go")).isEqualTo(Verdict.DONE);
      assertThat(one.inspector().evict(resource, token, "now")).isEqualTo(Verdict.DONE);
      assertThat(one.engine().renew(holder)).isInstanceOf(Renewal.Gone.class);
      other.engine().leave(waiter, false);
    }
  }

  private static void guard(String uri) {
    try (RedisFenceGuard anywhere = RedisFenceGuard.connect(uri)) {
      RedisFenceGuard guard = anywhere.beside("{hf:data}");
      String resource = "guarded" + ROUNDS.incrementAndGet();
      guard.claim(resource, 5, "five");
      guard.admit(resource, 6, "six");
      assertThatThrownBy(() -> guard.claim(resource, 4, "four"))
          .isInstanceOf(StaleTokenException.class);
      GuardedWrite write =
          new GuardedWrite(
              "return redis.call('SET', KEYS[1], ARGV[1])", List.of("{hf:data}"), List.of("x"));
      assertThat(guard.run(resource, 7, "seven", write)).isEqualTo("OK");
    }
  }
}
