package io.holdfast.zookeeper.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import io.holdfast.zookeeper.EngineInternals;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperEngine;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.RecordedGrant;
import io.holdfast.zookeeper.layout.TicketData;
import io.holdfast.zookeeper.session.Session;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One name that programs use in two ways. */
@Timeout(120)
class TwoKindsIT {

  private static final Resource NAME = new Resource("default", "x");

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

  /** Counts what it is told. */
  private static final class Told implements Wake {
    private final AtomicInteger granted = new AtomicInteger();

    @Override
    public void wake() {
      // The test asks by itself.
    }

    @Override
    public void granted(Standing.Granted standing) {
      granted.incrementAndGet();
    }
  }

  private static Ticket ticket(int number, Order order) {
    Owner owner = new Owner("test", "host", 1, "thread", "");
    return new Ticket(
        new Ticket.Id(3, 4, number),
        NAME,
        Shape.mutex(order),
        1,
        Engines.LEASE,
        0,
        /* waits= */ true,
        owner);
  }

  /** Joins, and pauses before it looks. */
  private static String joins(ZooKeeperEngine engine, Ticket ticket) throws Exception {
    Session session = EngineInternals.sessions(engine).peek();
    String node =
        session.namespaces().line(ticket) + "/" + ChildName.ofTicket(ticket, ticket.shape());
    return session
        .connection()
        .create(node, TicketData.write(ticket, RecordedGrant.NONE), CreateMode.EPHEMERAL_SEQUENTIAL)
        .get(30, TimeUnit.SECONDS)
        .path();
  }

  @Test
  @DisplayName("one behind a ticket of another order is not in before that one has gone")
  void waitsForTheOther() throws Exception {
    Ticket first = ticket(1, Order.ANY);
    Ticket last = ticket(3, Order.ANY);
    Told told = new Told();
    try (ZooKeeperEngine one = (ZooKeeperEngine) Engines.patient(server.uri() + "/kinds");
        ZooKeeperEngine two = (ZooKeeperEngine) Engines.patient(server.uri() + "/kinds")) {
      assertThat(one.attempt(first, () -> {})).isInstanceOf(Standing.Granted.class);
      String paused = joins(one, ticket(2, Order.FIFO));
      assertThat(two.attempt(last, told)).isInstanceOf(Standing.Waiting.class);
      assertThat(one.leave(first, false)).isEqualTo(Left.HOLDING);
      // The other is first now: when it looks, it is in.
      assertThat(two.attempt(last, told)).isInstanceOf(Standing.Waiting.class);
      assertThat(told.granted).hasValue(0);
      EngineInternals.sessions(one)
          .peek()
          .connection()
          .deleteIfPresent(paused)
          .get(30, TimeUnit.SECONDS);
      assertThat(two.attempt(last, told)).isInstanceOf(Standing.Granted.class);
      assertThat(two.leave(last, false)).isEqualTo(Left.HOLDING);
    }
  }
}
