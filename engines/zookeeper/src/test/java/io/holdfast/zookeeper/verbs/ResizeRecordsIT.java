package io.holdfast.zookeeper.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.spi.EngineException;
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
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.ResizeRecords;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.TicketState;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Records of resizes while tickets come and go, step by step. */
@Timeout(120)
class ResizeRecordsIT {

  private static ZooKeeperServer server;

  private Resource name;

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
  void name(TestInfo test) {
    name = new Resource("default", test.getTestMethod().orElseThrow().getName());
  }

  private static <T> T get(CompletableFuture<T> answer) throws Exception {
    return answer.get(30, TimeUnit.SECONDS);
  }

  /** A client whose tickets join and look when the test says so. */
  private static final class Client implements AutoCloseable {
    final ZooKeeperEngine engine;
    final Session session;

    Client() throws EngineException {
      engine = (ZooKeeperEngine) Engines.patient(server.uri() + "/records");
      session = EngineInternals.sessions(engine).require();
    }

    ZooKeeperConnection connection() {
      return session.connection();
    }

    TicketState joins(Ticket ticket) throws Exception {
      TicketState state = EngineInternals.tickets(engine).add(ticket, session);
      NodeCreation creation =
          new NodeCreation(
              EngineInternals.verbs(engine).errors(), session, ticket, ticket.shape(), state);
      NodeCreation.startTogether(session, List.of(creation));
      get(creation.result());
      return state;
    }

    long isIn(Ticket ticket, TicketState state) throws Exception {
      Standing standing =
          get(new LineEvaluation(EngineInternals.verbs(engine), ticket, state).look());
      assertThat(standing).isInstanceOf(Standing.Granted.class);
      return ((Standing.Granted) standing).token();
    }

    @Override
    public void close() {
      engine.close();
    }
  }

  private Ticket ticket(int number, Shape shape, int generation) {
    return new Ticket(
        new Ticket.Id(7, 8, number),
        name,
        shape,
        1,
        Engines.LEASE,
        generation,
        /* waits= */ true,
        new Owner("test", "host", 1, "thread", ""));
  }

  private Ticket permit(int number) {
    return ticket(number, Shape.semaphore(1), 0);
  }

  @Test
  @DisplayName("a record that is swept while tickets join costs none of them its rising token")
  void sweptWhileTicketsJoin() throws Exception {
    try (Client a = new Client();
        Client b = new Client();
        Client c = new Client()) {
      TicketState first = a.joins(permit(1));
      assertThat(a.engine.resize(permit(9))).isTrue();
      get(a.connection().deleteIfPresent(first.node()));
      ZooKeeperConnection.ChildList listed = get(a.connection().list(first.line()));
      assertThat(listed.names()).hasSize(1);
      TicketState second = b.joins(permit(2));
      TicketState third = c.joins(permit(3));
      long token = b.isIn(permit(2), second);
      assertThat(get(ResizeRecords.sweep(a.connection(), first.line(), listed))).isFalse();
      b.engine.leave(permit(2), false);
      assertThat(c.isIn(permit(3), third)).isGreaterThan(token);
      c.engine.leave(permit(3), false);
      assertThat(get(a.connection().list(first.line())).names()).isEmpty();
    }
  }

  @Test
  @DisplayName("one of another kind that had not looked has a higher token than those before it")
  void anotherKind() throws Exception {
    Ticket mutex = ticket(2, Shape.mutex(Order.FIFO), 0);
    Ticket next = ticket(3, Shape.mutex(Order.FIFO), 0);
    try (Client a = new Client();
        Client b = new Client();
        Client c = new Client()) {
      TicketState first = a.joins(permit(1));
      TicketState second = b.joins(mutex);
      assertThat(a.engine.resize(permit(9))).isTrue();
      TicketState third = c.joins(next);
      long token = a.isIn(permit(1), first);
      a.engine.leave(permit(1), false);
      long after = b.isIn(mutex, second);
      assertThat(after).isGreaterThan(token);
      assertThat(c.engine.attempt(next, () -> {})).isInstanceOf(Standing.Waiting.class);
      b.engine.leave(mutex, false);
      assertThat(c.isIn(next, third)).isGreaterThan(after);
      c.engine.leave(next, false);
      assertThat(get(a.connection().list(first.line())).names()).isEmpty();
    }
  }

  @Test
  @DisplayName("who is of a lower generation may not resize either")
  void lowerGeneration() throws Exception {
    Resource other = new Resource("aged", "x");
    name = other;
    try (LockEngine old = Engines.patient(server.uri() + "/records");
        LockEngine young = Engines.patient(server.uri() + "/records")) {
      old.attempt(permit(1), () -> {});
      assertThat(old.resize(permit(9))).isTrue();
      assertThat(young.attempt(ticket(2, Shape.semaphore(1), 1), () -> {}))
          .isInstanceOf(Standing.Waiting.class);
      assertThatThrownBy(() -> old.resize(ticket(9, Shape.semaphore(5), 0)))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("generation");
      assertThat(young.resize(ticket(9, Shape.semaphore(2), 1))).isTrue();
      assertThat(young.attempt(ticket(2, Shape.semaphore(1), 1), () -> {}))
          .isInstanceOf(Standing.Granted.class);
    }
  }
}
