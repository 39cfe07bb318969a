package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.RedisEngine;
import io.holdfast.redis.RedisOptions;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Every verb that changes something, run five times, leaves what one run leaves. */
@Timeout(60)
class U03ReplayIT {

  private static final int RUNS = 5;
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Wake NO_WAKE = () -> {};
  private static RedisServer server;
  private static RedisEngine engine;

  private long number;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
    engine =
        RedisEngine.open(
            RedisOptions.of(server.uri()),
            new Settings(LEASE, Duration.ofSeconds(2), 0, System::nanoTime, () -> 0));
  }

  @AfterAll
  static void stop() {
    engine.close();
    server.close();
  }

  private interface Step {
    Object run() throws EngineException;
  }

  private record Case(String name, List<Step> before, Step verb) {}

  @TestFactory
  Stream<DynamicTest> five_runs_leave_what_one_leaves() {
    List<Case> cases = new ArrayList<>();
    cases.addAll(casesOf("mutex", Shape.mutex(Order.ANY), 1));
    cases.addAll(casesOf("fifo mutex", Shape.mutex(Order.FIFO), 1));
    cases.addAll(casesOf("semaphore", Shape.semaphore(3), 2));
    cases.addAll(casesOf("write lock", Shape.readWrite(), Shape.readWrite().capacity()));
    cases.add(settle());
    cases.add(resize());
    cases.add(shrink());
    return cases.stream().map(c -> DynamicTest.dynamicTest(c.name, () -> replay(c)));
  }

  private List<Case> casesOf(String what, Shape shape, int weight) {
    Ticket a = ticket(what, shape, weight);
    Ticket b = ticket(what, shape, weight);
    Ticket c = ticket(what, shape, weight);
    Step inA = () -> engine.attempt(a, NO_WAKE);
    Step inB = () -> engine.attempt(b, NO_WAKE);
    Step inC = () -> engine.attempt(c, NO_WAKE);
    return List.of(
        new Case(what + ": attempt that gets in", List.of(), inA),
        new Case(what + ": attempt that waits", List.of(inA), inB),
        new Case(what + ": attempt behind another", List.of(inA, inB), inC),
        new Case(what + ": renew", List.of(inA, inB), () -> engine.renew(a)),
        new Case(what + ": renew of one that waits", List.of(inA, inB), () -> engine.renew(b)),
        new Case(what + ": leave", List.of(inA), () -> engine.leave(a, false)),
        new Case(what + ": leave before others", List.of(inA, inB, inC), () -> leave(a)),
        new Case(what + ": leave of one that waits", List.of(inA, inB, inC), () -> leave(b)),
        new Case(what + ": leave in doubt", List.of(inA), () -> engine.leave(a, true)),
        new Case(what + ": leave of a stranger", List.of(inA, inB), () -> leave(c)));
  }

  private static Object leave(Ticket ticket) throws EngineException {
    return engine.leave(ticket, false);
  }

  private Case settle() {
    Ticket a = ticket("once", Shape.once(), 1);
    Ticket b = ticket("once", Shape.once(), 1);
    return new Case(
        "once: settle",
        List.of(() -> engine.attempt(a, NO_WAKE), () -> engine.attempt(b, NO_WAKE)),
        () -> engine.settle(a, LEASE));
  }

  private Case resize() {
    Ticket a = ticket("resized", Shape.semaphore(2), 2);
    Ticket b = ticket("resized", Shape.semaphore(2), 2);
    return new Case(
        "semaphore: resize",
        List.of(() -> engine.attempt(a, NO_WAKE), () -> engine.attempt(b, NO_WAKE)),
        () -> engine.resize(a.withShape(Shape.semaphore(5))));
  }

  private Case shrink() {
    int all = Shape.readWrite().capacity();
    Ticket writer = ticket("shrunk", Shape.readWrite(), all);
    Ticket reader = ticket("shrunk", Shape.readWrite(), 1);
    return new Case(
        "read/write lock: downgrade",
        List.of(() -> engine.attempt(writer, NO_WAKE), () -> engine.attempt(reader, NO_WAKE)),
        () -> engine.attempt(writer.withWeight(1), NO_WAKE));
  }

  private Ticket ticket(String name, Shape shape, int weight) {
    return new Ticket(
        new Ticket.Id(7, 7, ++number),
        new Resource("default", name),
        shape,
        weight,
        LEASE,
        0,
        true,
        new Owner("app", "host", 1, "thread", "text"));
  }

  private static void replay(Case c) throws EngineException {
    server.call("FLUSHALL");
    for (Step step : c.before) {
      step.run();
    }
    Object first = c.verb.run();
    Map<String, String> once = settled();
    for (int i = 1; i < RUNS; i++) {
      Object again = c.verb.run();
      if (first instanceof Standing.Granted granted) {
        assertThat(((Standing.Granted) again).token()).isEqualTo(granted.token());
      }
    }
    assertThat(settled()).isEqualTo(once);
  }

  /** All that is in the store when no reservation is left in it. */
  private static Map<String, String> settled() {
    Await.until("no reservation", Duration.ofSeconds(5), () -> !state().toString().contains("=r "));
    return state();
  }

  /** The keys and what is in them, without what every sign of life moves: the ends of leases. */
  private static Map<String, String> state() {
    Map<String, String> state = new TreeMap<>();
    server.call("KEYS", "*").lines().forEach(key -> state.put(key, content(key)));
    return state;
  }

  private static String content(String key) {
    return switch (server.call("TYPE", key)) {
      case "string" -> server.call("GET", key);
      case "zset" ->
          key.contains("}:h:") || key.contains("}:e:")
              ? server.call("ZRANGE", key, "0", "-1").lines().sorted().toList().toString()
              : server.call("ZRANGE", key, "0", "-1", "WITHSCORES");
      case "hash" -> fields(server.call("HGETALL", key).lines().toList());
      default -> "gone";
    };
  }

  /**
   * Of one that waits without an order, the wish for a longer reservation moves as well; and which
   * attempt hung the bell of one that waits.
   */
  private static String fields(List<String> namesAndValues) {
    Map<String, String> fields = new TreeMap<>();
    for (int i = 0; i + 1 < namesAndValues.size(); i += 2) {
      String value = namesAndValues.get(i + 1);
      fields.put(
          namesAndValues.get(i),
          value
              .replaceAll("^\\d{13} (\\d+ \\d+) \\d+ ", "END $1 RESERVE ")
              .replaceAll(" (!?\\d+)\\.\\d+ ", " $1.ATTEMPT "));
    }
    return fields.toString();
  }
}
