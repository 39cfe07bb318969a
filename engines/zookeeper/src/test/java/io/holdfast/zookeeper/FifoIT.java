package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import io.holdfast.rig.WorkerJvm;
import io.holdfast.rig.ZooKeeperServer;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.faults.Programs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
  private static final int WAITERS = 200;

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
    List<WorkerJvm> workers = new ArrayList<>();
    try (Holdfast holdfast = Holdfast.connect(uri);
        LockEngine engine = Engines.open(server.uri() + "/fifo")) {
      for (int i = 0; i < PROCESSES; i++) {
        workers.add(WorkerJvm.start(Programs.worker(), folder, "w" + i, uri));
      }
      // Not before: to start them takes all of a small machine for a while.
      workers.forEach(WorkerJvm::awaitReady);
      Hold first = holdfast.lock("line").acquire(LONG);
      Resource line = new Resource("default", "line");
      for (int i = 0; i < WAITERS; i++) {
        int before = i + 1;
        workers.get(i % PROCESSES).jvm().say("turn line " + i);
        Await.until(
            "number " + i + " is in line",
            LONG,
            () -> {
              first.ensureHeld();
              return standing(engine, line) > before;
            });
      }
      long released = System.nanoTime();
      first.release();
      Await.until("all had their turn", LONG, () -> turns(workers).size() == WAITERS);
      long took = System.nanoTime() - released;
      Figure.print(
          "%d waiters of %d processes had their turn in %,d ms, %.2f ms each",
          WAITERS, PROCESSES, took / 1_000_000, took / 1e6 / WAITERS);
      assertThat(turns(workers)).isSorted();
    } finally {
      workers.forEach(WorkerJvm::close);
    }
  }

  /** Who came, in the order of their tokens. */
  private static List<Integer> turns(List<WorkerJvm> workers) {
    return workers.stream()
        .flatMap(worker -> worker.jvm().lines().stream())
        .filter(line -> line.startsWith("turn "))
        .map(line -> line.split(" ", -1))
        .sorted(Comparator.comparingLong((String[] words) -> Long.parseLong(words[2])))
        .map(words -> Integer.valueOf(words[1]))
        .toList();
  }

  @Test
  @DisplayName("u14 one release wakes one waiter, and no other")
  void oneIsWoken() throws Exception {
    try (LockEngine engine = Engines.open(server.uri() + "/wakes")) {
      Resource resource = new Resource("default", "x");
      LockEngine lane = engine.lane();
      List<Ticket> line = new ArrayList<>();
      List<AtomicInteger> wakes = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        AtomicInteger wake = new AtomicInteger();
        Ticket ticket = ticket(resource, i);
        lane.attempt(ticket, wake::incrementAndGet);
        line.add(ticket);
        wakes.add(wake);
      }
      for (int i = 0; i < 49; i++) {
        AtomicInteger next = wakes.get(i + 1);
        lane.leave(line.get(i), false);
        Await.until("the next is woken", LONG, () -> next.get() > 0);
        assertThat(lane.attempt(line.get(i + 1), next::incrementAndGet))
            .isInstanceOf(Standing.Granted.class);
      }
      int all = wakes.stream().mapToInt(AtomicInteger::get).sum();
      Figure.print("49 releases of a line of 50 woke %d waiters", all);
      assertThat(all).isEqualTo(49);
    }
  }

  private static Ticket ticket(Resource resource, int number) {
    return new Ticket(
        new Ticket.Id(1, 2, number),
        resource,
        Shape.mutex(Order.FIFO),
        1,
        Engines.LEASE,
        0,
        true,
        new Owner("test", "host", 1, "thread", ""));
  }
}
