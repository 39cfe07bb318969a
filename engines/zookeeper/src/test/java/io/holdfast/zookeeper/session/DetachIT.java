package io.holdfast.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.Engines;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The two ways to close an engine. */
@Timeout(120)
class DetachIT {

  private static final Duration LONG = Duration.ofSeconds(60);

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

  private static Ticket ticket(String name, int number) {
    return new Ticket(
        new Ticket.Id(7, number, 1),
        new Resource("default", name),
        Shape.mutex(Order.FIFO),
        1,
        Engines.LEASE,
        0,
        true,
        new Owner("test", "host", 1, "thread", ""));
  }

  private static Standing ask(LockEngine engine, Ticket ticket) {
    try {
      return engine.attempt(ticket, () -> {});
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }

  /** How long a waiter waits for the ticket of an engine that goes, in nanoseconds. */
  private static long waits(String name, boolean detach) {
    try (LockEngine next = Engines.patient(server.uri() + "/detach")) {
      LockEngine first = Engines.patient(server.uri() + "/detach");
      try {
        assertThat(ask(first, ticket(name, 1))).isInstanceOf(Standing.Granted.class);
        assertThat(ask(next, ticket(name, 2))).isInstanceOf(Standing.Waiting.class);
        long start = System.nanoTime();
        if (detach) {
          first.detach();
        } else {
          first.close();
        }
        Await.until("it is in", LONG, () -> ask(next, ticket(name, 2)) instanceof Standing.Granted);
        return System.nanoTime() - start;
      } finally {
        first.close();
      }
    }
  }

  @Test
  @DisplayName("an engine that is closed takes its tickets along")
  void closed() {
    Figure.within(Duration.ofMillis(500), waits("closed", false), "closed: the next was in");
  }

  @Test
  @DisplayName("an engine that is detached leaves its tickets until the session is over")
  void detached() {
    long nanos = waits("detached", true);
    // The store may have heard of the session last one beat before the end.
    assertThat(nanos).isGreaterThan(Engines.LEASE.toNanos() * 3 / 4);
    Figure.within(Engines.LEASE.plusMillis(400), nanos, "detached, lease 3 s: the next was in");
  }

  @Test
  @DisplayName("no other process can go on with a ticket")
  void notPortable() {
    try (LockEngine engine = Engines.open(server.uri() + "/detach")) {
      assertThat(engine.traits().guarantees()).doesNotContain(Guarantee.PORTABLE_TICKETS);
    }
  }
}
