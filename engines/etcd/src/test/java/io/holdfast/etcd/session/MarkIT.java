package io.holdfast.etcd.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.etcd.Engines;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Marks of completed runs, on a server that restarts. */
@Isolated
@Timeout(120)
class MarkIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration KEEP = Duration.ofSeconds(6);
  private static final Resource NAME = new Resource("default", "report");

  private long tickets;

  private Ticket ticket() {
    return new Ticket(
        new Ticket.Id(1, 2, ++tickets),
        NAME,
        Shape.once(),
        1,
        Duration.ofSeconds(20),
        0,
        true,
        new Owner("", "here", 1, "test", ""));
  }

  private static void passSince(long then, long millis) {
    Await.until(
        "time passes", LONG, () -> System.nanoTime() - then > Duration.ofMillis(millis).toNanos());
  }

  /** Asks until there is a reply: the server was unreachable. */
  private static Standing attempt(LockEngine engine, Ticket ticket) {
    return Await.value("an answer", LONG, () -> Optional.of(engine.attempt(ticket, () -> {})));
  }

  @Test
  @DisplayName(
      "a restart starts the lease of a mark again: clients that have seen it do not rely on that")
  void restarted() throws Exception {
    try (EtcdServer server = EtcdServer.start();
        LockEngine maker = Engines.open(server.uri());
        LockEngine witness = Engines.open(server.uri());
        LockEngine other = Engines.open(server.uri())) {
      Ticket first = ticket();
      assertThat(attempt(maker, first)).isInstanceOf(Standing.Granted.class);
      assertThat(maker.settle(first, KEEP)).isTrue();
      long settled = System.nanoTime();
      assertThat(attempt(witness, ticket())).isInstanceOf(Standing.Done.class);
      passSince(settled, 5_000);
      server.process().kill9();
      server.process().restart();
      passSince(settled, 7_500);
      assertThat(server.keys("holdfast/line/")).as("the server keeps it").hasSize(1);
      Ticket next = ticket();
      assertThat(attempt(witness, next)).isInstanceOf(Standing.Granted.class);
      witness.leave(next, false);
      assertThat(server.keys("holdfast/line/")).as("it was removed").isEmpty();
      assertThat(attempt(other, ticket())).isInstanceOf(Standing.Granted.class);
    }
  }
}
