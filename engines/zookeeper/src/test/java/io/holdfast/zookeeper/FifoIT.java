package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a line wakes; its order is in the fault kit, F04. */
@Timeout(180)
class FifoIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int CLIENTS = 3;
  private static final int IN_LINE = 50;

  private static ZooKeeperServer server;

  @BeforeAll
  static void start() throws EngineException {
    server = ZooKeeperServer.start();
    Engines.warmUp(server.uri());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static int standing(LockEngine engine, Resource resource) throws EngineException {
    return engine
        .inspector()
        .orElseThrow()
        .show(resource)
        .map(LineView::tickets)
        .map(List::size)
        .orElse(0);
  }

  @Test
  @DisplayName("u14 one release wakes one waiter, of whichever client, and no other")
  void oneIsWoken() throws Exception {
    Resource resource = new Resource("default", "x");
    List<LockEngine> clients = new ArrayList<>();
    List<LockEngine> lanes = new ArrayList<>();
    List<AtomicInteger> wakes = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(Engines.patient(server.uri() + "/wakes"));
        lanes.add(clients.get(i).lane());
      }
      for (int i = 0; i < IN_LINE; i++) {
        AtomicInteger wake = new AtomicInteger();
        wakes.add(wake);
        lanes.get(i % CLIENTS).attempt(ticket(resource, i), wake::incrementAndGet);
      }
      for (int i = 0; i < IN_LINE - 1; i++) {
        lanes.get(i % CLIENTS).leave(ticket(resource, i), false);
        requireOnlyNextIsWoken(clients, lanes, wakes, resource, i + 1);
      }
      Figure.print(
          "%d releases of a line of %d, of %d clients, woke %d waiters",
          IN_LINE - 1, IN_LINE, CLIENTS, wakes.stream().mapToInt(AtomicInteger::get).sum());
    } finally {
      clients.forEach(LockEngine::close);
    }
  }

  private static void requireOnlyNextIsWoken(
      List<LockEngine> clients,
      List<LockEngine> lanes,
      List<AtomicInteger> wakes,
      Resource resource,
      int next)
      throws EngineException {
    AtomicInteger woken = wakes.get(next);
    Await.until("the next is woken", LONG, () -> woken.get() > 0);
    assertThat(lanes.get(next % CLIENTS).attempt(ticket(resource, next), woken::incrementAndGet))
        .isInstanceOf(Standing.Granted.class);
    for (LockEngine client : clients) {
      // Answered behind all signals that were on their way.
      standing(client, resource);
    }
    assertThat(wakes.stream().map(AtomicInteger::get))
        .containsExactlyElementsOf(
            IntStream.range(0, IN_LINE).map(i -> i > 0 && i <= next ? 1 : 0).boxed().toList());
  }

  private static Ticket ticket(Resource resource, int number) {
    return new Ticket(
        new Ticket.Id(1, number % CLIENTS, number),
        resource,
        Shape.mutex(Order.FIFO),
        1,
        Engines.LEASE,
        0,
        true,
        new Owner("test", "host", 1, "thread", ""));
  }
}
