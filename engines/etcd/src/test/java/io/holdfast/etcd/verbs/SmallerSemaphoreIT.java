package io.holdfast.etcd.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.etcd.Engines;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Semaphores that are made smaller while tickets are on their way in. */
class SmallerSemaphoreIT {

  private static EtcdServer server;
  private static LockEngine engine;
  private static long tickets;

  @BeforeAll
  static void start() {
    server = EtcdServer.start();
    engine = Engines.open(server.uri());
  }

  @AfterAll
  static void stop() {
    engine.close();
    server.close();
  }

  @Test
  @DisplayName("a ticket that read the line before two resizes does not get in by that")
  void lookedBefore() throws Exception {
    Resource name = new Resource("default", "looked-before");
    assertThat(attempt(ticket(name, 3, 1))).isInstanceOf(Standing.Granted.class);
    try (SteppedClient client = new SteppedClient(server.uri())) {
      SteppedClient.SteppedAttempt steps = client.attempt(ticket(name, 3, 1));
      assertThat(steps.next())
          .as("it has joined, seen that there is room, and writes next")
          .isFalse();
      resize(name, 5);
      for (int i = 0; i < 3; i++) {
        assertThat(attempt(ticket(name, 5, 1))).isInstanceOf(Standing.Granted.class);
      }
      resize(name, 3);
      assertThat(steps.rest()).isInstanceOf(Standing.Waiting.class);
    }
  }

  @Test
  @DisplayName("a ticket that had room, and did not ask, waits for those behind it after a resize")
  void hadRoom() throws Exception {
    Resource name = new Resource("default", "had-room");
    Ticket all = ticket(name, 2, 2);
    Ticket ahead = ticket(name, 2, 1);
    Ticket behind = ticket(name, 2, 1);
    attempt(all);
    assertThat(attempt(ahead)).isInstanceOf(Standing.Waiting.class);
    assertThat(attempt(behind)).isInstanceOf(Standing.Waiting.class);
    engine.leave(all, false);
    Standing.Granted before = (Standing.Granted) attempt(behind);
    resize(name, 1);
    assertThat(attempt(ahead)).isInstanceOf(Standing.Waiting.class);
    assertThat(engine.leave(behind, false)).isEqualTo(Left.HOLDING);

    Standing.Granted granted = (Standing.Granted) attempt(ahead);

    assertThat(granted.token()).as("alone now").isGreaterThan(before.token());
    assertThat(((Standing.Granted) attempt(ahead)).token()).isEqualTo(granted.token());
    revokedByThatToken(name, ahead, granted.token());
  }

  /** The operator sees the same token, also when the record is written once more. */
  private static void revokedByThatToken(Resource name, Ticket ticket, long token)
      throws EngineException {
    EngineInspector inspector = engine.inspector().orElseThrow();
    assertThat(inspector.revoke(name, token, "enough")).isEqualTo(EngineInspector.Verdict.DONE);
    assertThat(inspector.show(name).orElseThrow().tickets())
        .extracting(TicketView::token, TicketView::state)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(token, TicketView.State.REVOKED));
    assertThat(engine.renew(ticket)).isEqualTo(new Renewal.Gone(Renewal.Cause.REVOKED, "enough"));
    assertThat(engine.leave(ticket, false)).isEqualTo(Left.HOLDING);
  }

  @Test
  @DisplayName("who opens a semaphore is in with one entry in the log, and leaves with one")
  void oneEntry() throws Exception {
    Resource name = new Resource("default", "one-entry");
    attempt(ticket(new Resource("default", "warm-up"), 2, 1));
    Ticket ticket = ticket(name, 2, 1);
    long before = server.revision();
    attempt(ticket);
    assertThat(server.revision()).isEqualTo(before + 1);
    engine.leave(ticket, false);
    assertThat(server.revision()).isEqualTo(before + 2);
  }

  private static Standing attempt(Ticket ticket) throws EngineException {
    return engine.attempt(ticket, () -> {});
  }

  private static void resize(Resource name, int permits) throws EngineException {
    assertThat(engine.resize(ticket(name, permits, 1))).isTrue();
  }

  private static Ticket ticket(Resource name, int permits, int weight) {
    return new Ticket(
        new Ticket.Id(1, 2, ++tickets),
        name,
        Shape.semaphore(permits),
        weight,
        Duration.ofSeconds(30),
        0,
        true,
        new Owner("", "here", 1, "test", ""));
  }
}
