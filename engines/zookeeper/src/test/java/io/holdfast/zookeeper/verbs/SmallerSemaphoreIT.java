package io.holdfast.zookeeper.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.Engines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A semaphore that is made smaller around those that are in. */
@Timeout(120)
class SmallerSemaphoreIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int CLIENTS = 3;
  private static final int THREADS = 3;

  private static ZooKeeperServer server;

  @BeforeAll
  static void start() {
    server = ZooKeeperServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  static Ticket ticket(Resource resource, int capacity, int weight, int number) {
    return new Ticket(
        new Ticket.Id(1, 2, number),
        resource,
        Shape.semaphore(capacity),
        weight,
        Engines.LEASE,
        0,
        true,
        new Owner("test", "host", 1, "thread", ""));
  }

  private static long in(LockEngine lane, Ticket ticket) throws Exception {
    Standing standing = lane.attempt(ticket, () -> {});
    assertThat(standing).isInstanceOf(Standing.Granted.class);
    return ((Standing.Granted) standing).token();
  }

  @Test
  @DisplayName("who had room before does not get in beside those behind it that are in")
  void behind() throws Exception {
    try (LockEngine engine = Engines.patient(server.uri() + "/smaller")) {
      LockEngine lane = engine.lane();
      Resource resource = new Resource("default", "x");
      Ticket first = ticket(resource, 3, 3, 1);
      Ticket second = ticket(resource, 3, 1, 2);
      Ticket third = ticket(resource, 3, 1, 3);
      AtomicInteger wakes = new AtomicInteger();
      in(lane, first);
      lane.attempt(second, () -> {});
      lane.attempt(third, () -> {});
      lane.leave(first, false);
      // The second has room as well, and has not asked.
      long token = in(lane, third);
      assertThat(lane.resize(ticket(resource, 1, 1, 4))).isTrue();
      assertThat(lane.attempt(second, wakes::incrementAndGet))
          .isInstanceOfSatisfying(
              Standing.Waiting.class,
              waiting -> assertThat(waiting.holder()).map(Standing.Holder::token).contains(token));
      assertThat(in(lane, third)).isEqualTo(token);
      lane.leave(third, false);
      Await.until("the one that was in the way is gone", LONG, () -> wakes.get() > 0);
      long later = in(lane, second);
      assertThat(later).as("it is alone, and later").isGreaterThan(token);
      assertThat(in(lane, second)).isEqualTo(later);
      assertThat(tokens(engine, resource)).containsExactly(later);
      lane.leave(second, false);
      assertThat(engine.inspector().orElseThrow().show(resource)).isEmpty();
    }
  }

  @Test
  @DisplayName("tokens rise for those that joined before somebody ahead of them got in")
  void rising() throws Exception {
    try (LockEngine engine = Engines.patient(server.uri() + "/rising")) {
      LockEngine lane = engine.lane();
      Resource resource = new Resource("default", "x");
      Ticket first = ticket(resource, 2, 1, 1);
      Ticket second = ticket(resource, 2, 2, 2);
      in(lane, first);
      lane.attempt(second, () -> {});
      assertThat(lane.resize(ticket(resource, 4, 1, 9))).isTrue();
      Ticket third = ticket(resource, 4, 4, 3);
      assertThat(lane.attempt(third, () -> {})).isInstanceOf(Standing.Waiting.class);
      long token = in(lane, second);
      // Nobody is left of those that joined before the resize.
      lane.leave(first, false);
      lane.leave(second, false);
      assertThat(in(lane, third)).isGreaterThan(token);
      lane.leave(third, false);
    }
  }

  private static List<Long> tokens(LockEngine engine, Resource resource) throws Exception {
    LineView view = engine.inspector().orElseThrow().show(resource).orElseThrow();
    return view.tickets().stream().map(TicketView::token).toList();
  }

  @Test
  @DisplayName("whoever asks after a resize is never in with more than it allows")
  void hammered() throws Exception {
    try (Crowd crowd = new Crowd(server.uri() + "/hammered", CLIENTS, THREADS)) {
      crowd.play(Duration.ofSeconds(4));
      Figure.print(
          "%,d grants beside %,d resizes of %d clients; %,d of them could be judged",
          crowd.grants(), crowd.resizes(), CLIENTS, crowd.judged());
      assertThat(crowd.faults()).isEmpty();
      assertThat(crowd.judged()).isPositive();
    }
  }
}
