package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.checks.Capacities;
import io.holdfast.rig.checks.FifoOrder;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.checks.TokenOrder;
import io.holdfast.rig.checks.WakeUps;
import io.holdfast.rig.clients.LockWorker;
import io.holdfast.rig.clients.WorkerGroup;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.History;
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
import java.nio.file.Path;
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
import org.junit.jupiter.api.io.TempDir;

/** Lines. */
@Timeout(180)
class FifoIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int PROCESSES = 4;
  private static final int EACH = 50;
  private static final int CLIENTS = 3;
  private static final int IN_LINE = 50;

  private static ZooKeeperServer server;

  @TempDir Path folder;

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
  @DisplayName("u24 200 waiters in 4 processes are let in in the order in which they came")
  void inOrder() throws Exception {
    String uri = server.uri() + "/fifo?holdfast.lease=4s&holdfast.order=fifo";
    Resource line = new Resource("default", "line");
    try (LockEngine engine = Engines.open(server.uri() + "/fifo");
        WorkerGroup crew = WorkerGroup.start(PROCESSES, LockWorker.class, folder, uri);
        Holdfast holdfast = Holdfast.connect(uri)) {
      Hold first = holdfast.lock("line").acquire(LONG);
      crew.queue("line", EACH, waiting -> awaitStanding(engine, line, first, waiting + 1));
      long released = System.nanoTime();
      first.release();
      crew.awaitIn(EACH);
      long took = System.nanoTime() - released;
      Await.until("all have left", LONG, () -> standing(engine, line) == 0);
      Figure.print(
          "%d waiters of %d processes had their turn in %,d ms, %.2f ms each",
          PROCESSES * EACH, PROCESSES, took / 1_000_000, took / 1e6 / (PROCESSES * EACH));
    }
    // By when they were in, not by their tokens: those are the order of the joins in any case.
    History history = WorkerJvm.history(folder);
    new FifoOrder().check(history).requireClean(PROCESSES * EACH);
    new Overlap().check(history).requireClean(PROCESSES * EACH);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(PROCESSES * EACH);
    Figure.print("line: %s", WakeUps.of(history));
  }

  /** So many are in line, beside one that holds all the while. */
  private static void awaitStanding(LockEngine engine, Resource line, Hold holder, int count) {
    Await.until(
        count + " are in line",
        LONG,
        () -> {
          holder.ensureHeld();
          return standing(engine, line) >= count;
        });
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
