package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.Await;
import io.holdfast.rig.EtcdServer;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of the watches of holds when they are held no more. */
@Timeout(120)
class QuietLeftoversIT {

  /** Within a sixth of it nothing but a watch says that something has happened. */
  private static final Duration LEASE = Duration.ofMinutes(5);

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofSeconds(3);
  private static EtcdServer server;
  private Renewer client;

  @BeforeAll
  static void start() {
    server = EtcdServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void open() {
    client = new Renewer(server);
  }

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  @DisplayName("one that shrinks or is asked for again is watched anew")
  void again() throws Exception {
    Shape shape = Shape.readWrite();
    Ticket writer = Renewer.ticket("downgraded", LEASE, shape, shape.capacity());
    client.held(writer);
    Ticket reader = writer.withWeight(1);
    assertThat(client.engine().attempt(reader, () -> {})).isInstanceOf(Standing.Granted.class);
    assertThat(client.watched()).isZero();
    client.awaitQuiet(reader);
    client.delete(reader);
    client.awaitGone(reader);
  }

  @Test
  @DisplayName("nothing is left of a thousand that were held for long")
  void nothingLeft() throws Exception {
    Ticket[] held = new Ticket[1_000];
    for (int i = 0; i < held.length; i++) {
      held[i] = client.held("many/" + i, LEASE);
    }
    assertThat(client.watched()).isEqualTo(held.length);
    Await.until("all are watched", SOON, () -> client.watchers() == held.length);
    for (Ticket ticket : held) {
      client.engine().leave(ticket, false);
    }
    assertThat(client.watched()).isZero();
    Await.until("no watch at the server", SOON, () -> client.watchers() == 0);
  }

  @Test
  @DisplayName("one whose time is over while its lease goes on is not watched any more")
  void over() throws Exception {
    Ticket ticket = client.held("over", SHORT);
    Ticket other = Renewer.ticket("over-other", LEASE);
    long start = System.nanoTime();
    Await.until("its time", SOON, () -> System.nanoTime() - start > SHORT.toNanos());
    client.engine().attempt(other, () -> {});
    assertThat(client.watched()).isZero();
    assertThat(client.renew(ticket)).isInstanceOf(Renewal.Gone.class);
  }

  @Test
  @DisplayName("a run that is done is not watched any more")
  void settled() throws Exception {
    Ticket ticket = Renewer.ticket("once", LEASE, Shape.once(), 1);
    client.held(ticket);
    assertThat(client.engine().settle(ticket, Duration.ofSeconds(1))).isTrue();
    assertThat(client.watched()).isZero();
  }

  @Test
  @DisplayName("a permit is looked at with each renewal")
  void permit() throws Exception {
    Ticket permit = Renewer.ticket("permit", LEASE, Shape.semaphore(2), 1);
    assertThat(client.engine().attempt(permit, () -> {})).isInstanceOf(Standing.Granted.class);
    assertThat(client.renew(permit)).isInstanceOf(Renewal.Renewed.class);
    assertThat(client.watched()).isZero();
    client.delete(permit);
    assertThat(client.renew(permit)).isInstanceOf(Renewal.Gone.class);
  }
}
