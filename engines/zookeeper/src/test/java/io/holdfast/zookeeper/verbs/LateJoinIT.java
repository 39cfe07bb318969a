package io.holdfast.zookeeper.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.EngineInternals;
import io.holdfast.zookeeper.Engines;
import io.holdfast.zookeeper.ZooKeeperEngine;
import io.holdfast.zookeeper.ZooKeeperEngineProvider;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.RecordedGrant;
import io.holdfast.zookeeper.layout.TicketData;
import io.holdfast.zookeeper.session.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Joins that were not answered: a ticket never has two nodes for long, nor waits for itself. */
@Timeout(120)
class LateJoinIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Shape SHAPE = Shape.mutex(Order.FIFO);

  private static ZooKeeperServer server;
  private static int names;

  private final Resource name = new Resource("default", "x" + names++);
  private final Ticket ticket = ticket(1);
  private ZooKeeperEngine engine;
  private ZooKeeperEngine other;
  private String line;

  @BeforeAll
  static void start() throws EngineException {
    server = ZooKeeperServer.start();
    Engines.warmUp(server.uri());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void open() throws EngineException {
    engine = (ZooKeeperEngine) Engines.patient(server.uri() + "/late");
    other = (ZooKeeperEngine) Engines.patient(server.uri() + "/late");
    Ticket before = ticket(0);
    engine.attempt(before, () -> {});
    other.attempt(before, () -> {});
    engine.leave(before, false);
    other.leave(before, false);
    line = session(engine).namespaces().line(ticket);
  }

  @AfterEach
  void close() {
    engine.close();
    other.close();
  }

  private Ticket ticket(int number) {
    Owner owner = new Owner("test", "host", 1, "thread", "");
    return new Ticket(
        new Ticket.Id(7, 8, number), name, SHAPE, 1, Engines.LEASE, 0, /* waits= */ true, owner);
  }

  private static Session session(ZooKeeperEngine engine) {
    return EngineInternals.sessions(engine).peek();
  }

  /** A join that arrives, of which the client hears nothing. */
  private String arrives(ZooKeeperEngine from) throws Exception {
    String node = line + "/" + ChildName.ofTicket(ticket, SHAPE);
    return session(from)
        .connection()
        .create(node, TicketData.write(ticket, RecordedGrant.NONE), CreateMode.EPHEMERAL_SEQUENTIAL)
        .get(30, TimeUnit.SECONDS)
        .path();
  }

  /** As after a join that was not answered. */
  private void isInDoubt() {
    EngineInternals.tickets(engine).add(ticket, session(engine));
  }

  private List<String> nodes() throws Exception {
    return session(engine).connection().childrenOrNone(line).get(30, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("u27 a node of an earlier session is not passed for ours, nor waited for")
  void ofAnotherSession() throws Exception {
    String old = arrives(other);
    isInDoubt();
    assertThat(engine.attempt(ticket, () -> {})).isInstanceOf(Standing.Granted.class);
    assertThat(nodes()).hasSize(1).doesNotContain(old.substring(line.length() + 1));
    assertThat(engine.leave(ticket, false)).isEqualTo(Left.HOLDING);
    assertThat(nodes()).isEmpty();
  }

  @Test
  @DisplayName("u27 of several nodes of a ticket that of its session is found, and the rest goes")
  void ofBoth() throws Exception {
    arrives(other);
    String ours = arrives(engine);
    isInDoubt();
    assertThat(engine.attempt(ticket, () -> {})).isInstanceOf(Standing.Granted.class);
    assertThat(nodes()).containsExactly(ours.substring(line.length() + 1));
    assertThat(engine.leave(ticket, false)).isEqualTo(Left.HOLDING);
  }

  @Test
  @DisplayName(
      "u04 what arrives after a ticket left in doubt goes, also if nothing was known of it")
  void afterTheEnd() throws Exception {
    assertThat(engine.leave(ticket, true)).isEqualTo(Left.NOTHING);
    arrives(engine);
    Await.until("the line is empty", LONG, () -> nodes().isEmpty());
  }

  @Test
  @DisplayName("u04 what arrives late goes also if nobody could look for longer than a lease")
  void afterAnOutage() throws Exception {
    AtomicLong ahead = new AtomicLong();
    Settings usual = Engines.settings();
    Settings jumping =
        new Settings(
            usual.lease(),
            Duration.ofSeconds(30),
            usual.lanes(),
            () -> System.nanoTime() + ahead.get(),
            usual.epochMicros());
    try (LockEngine opened = new ZooKeeperEngineProvider().open(server.uri() + "/late", jumping)) {
      ZooKeeperEngine late = (ZooKeeperEngine) opened;
      assertThat(late.attempt(ticket, () -> {})).isInstanceOf(Standing.Granted.class);
      assertThat(late.leave(ticket, true)).isEqualTo(Left.HOLDING);
      arrives(late);
      ahead.set(Engines.LEASE.multipliedBy(2).toNanos());
      Await.until("the line is empty", LONG, () -> nodes().isEmpty());
      Await.until(
          "nothing is remembered",
          LONG,
          () -> EngineInternals.tickets(late).possibleLateJoins().isEmpty());
    }
  }
}
