package io.holdfast.etcd.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.etcd.Engines;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.LockEngine;
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

/** Renewals that ask nothing: what happens to such holds, and what is left of their watches. */
@Timeout(120)
class QuietRenewalIT {

  /** Within a sixth of it nothing but a watch says that something has happened. */
  private static final Duration LEASE = Duration.ofMinutes(5);

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofSeconds(3);
  private static EtcdServer server;
  private RenewingClient client;

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
    client = new RenewingClient(server);
  }

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  @DisplayName("a hold whose line is watched and still asks nothing")
  void quiet() throws Exception {
    Ticket ticket = client.held("still", LEASE);
    double before = client.requests();
    for (int i = 0; i < 1_000; i++) {
      assertThat(client.renew(ticket)).isInstanceOf(Renewal.Renewed.class);
    }
    assertThat(client.requests() - before).isZero();
  }

  @Test
  @DisplayName("a key that is deleted by hand is noticed, and loses that hold alone")
  void deleted() throws Exception {
    Ticket kept = client.held("kept", LEASE);
    Ticket lost = client.held("deleted", LEASE);
    client.delete(lost);
    assertThat(client.awaitGone(lost).cause()).isEqualTo(Renewal.Cause.UNKNOWN_TICKET);
    assertThat(client.renew(kept)).isInstanceOf(Renewal.Renewed.class);
  }

  @Test
  @DisplayName("what an operator says is noticed, with its reason")
  void operated() throws Exception {
    try (LockEngine operator = Engines.patient(server.uri())) {
      Ticket revoked = client.held("revoked", LEASE);
      Ticket evicted = client.held("evicted", LEASE);
      operator.inspector().orElseThrow().revoke(revoked.resource(), client.token(revoked), "at 9");
      assertThat(client.awaitGone(revoked))
          .isEqualTo(new Renewal.Gone(Renewal.Cause.REVOKED, "at 9"));
      operator.inspector().orElseThrow().evict(evicted.resource(), client.token(evicted), "stuck");
      assertThat(client.awaitGone(evicted))
          .isEqualTo(new Renewal.Gone(Renewal.Cause.REVOKED, "stuck"));
    }
  }

  @Test
  @DisplayName("a new waiter is noticed, and so is its departure")
  void wanted() throws Exception {
    try (LockEngine rival = Engines.patient(server.uri())) {
      Ticket holder = client.held("wanted", LEASE);
      Ticket waiter = RenewingClient.ticket("wanted", LEASE);
      assertThat(rival.attempt(waiter, () -> {})).isInstanceOf(Standing.Waiting.class);
      Await.until("wanted", SOON, () -> client.isWanted(holder));
      client.awaitQuiet(holder);
      assertThat(client.isWanted(holder)).as("and remembered").isTrue();
      rival.leave(waiter, false);
      Await.until("not wanted", SOON, () -> !client.isWanted(holder));
    }
  }

  @Test
  @DisplayName("a stream that was cut is opened again, and what happened meanwhile is noticed")
  void cut() throws Exception {
    Ticket first = client.held("cut-1", LEASE);
    Ticket second = client.held("cut-2", LEASE);
    client.proxy().cut();
    client.delete(first);
    client.proxy().heal();
    client.awaitGone(first);
    client.awaitQuiet(second);
    client.delete(second);
    client.awaitGone(second);
  }

  @Test
  @DisplayName("what happens behind a compaction is noticed")
  void compacted() throws Exception {
    Ticket ticket = client.held("compacted", LEASE);
    for (int i = 0; i < 3; i++) {
      server.ctl("put", "noise", "" + i);
      server.compact();
    }
    assertThat(client.renew(ticket)).isInstanceOf(Renewal.Renewed.class);
    client.delete(ticket);
    client.awaitGone(ticket);
  }

  @Test
  @DisplayName("a missed event is found by the next check")
  void missed() throws Exception {
    Ticket other = client.held("turn-other", SHORT);
    Ticket lost = client.held("turn-lost", SHORT);
    client.deaf().hearsNoEvents();
    client.delete(lost);
    Await.until("the event", SOON, () -> client.deaf().missed() > 0);
    // The turn comes with the renewal of another that keeps the lease.
    Await.until("the turn", SOON, () -> client.asksToRenew(other));
    assertThat(client.renew(lost)).isInstanceOf(Renewal.Gone.class);
  }

  @Test
  @DisplayName("the turn comes also where others keep the lease all the time")
  void turnByItself() throws Exception {
    Ticket lost = client.held("busy-lost", SHORT);
    Ticket busy = RenewingClient.ticket("busy", SHORT);
    assertThat(client.engine().attempt(busy, () -> {})).isInstanceOf(Standing.Granted.class);
    client.deaf().hearsNoEvents();
    client.delete(lost);
    Await.until("the event", SOON, () -> client.deaf().missed() > 0);
    long start = System.nanoTime();
    Await.until(
        "a third of the lease",
        SOON,
        () -> {
          // These keep the lease, so no renewal does.
          client.engine().attempt(busy, () -> {});
          return System.nanoTime() - start > SHORT.toNanos() / 3;
        });
    assertThat(client.renew(lost)).as("the turn comes with it").isNotNull();
    assertThat(client.renew(lost)).isInstanceOf(Renewal.Gone.class);
  }

  @Test
  @DisplayName("a ticket that shrinks or is attempted again gets a new watch")
  void again() throws Exception {
    Shape shape = Shape.readWrite();
    Ticket writer = RenewingClient.ticket("downgraded", LEASE, shape, shape.capacity());
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
    Ticket other = RenewingClient.ticket("over-other", LEASE);
    long start = System.nanoTime();
    Await.until("its time", SOON, () -> System.nanoTime() - start > SHORT.toNanos());
    client.engine().attempt(other, () -> {});
    assertThat(client.watched()).isZero();
    assertThat(client.renew(ticket)).isInstanceOf(Renewal.Gone.class);
  }

  @Test
  @DisplayName("a run that is done is not watched any more")
  void settled() throws Exception {
    Ticket ticket = RenewingClient.ticket("once", LEASE, Shape.once(), 1);
    client.held(ticket);
    assertThat(client.engine().settle(ticket, Duration.ofSeconds(1))).isTrue();
    assertThat(client.watched()).isZero();
  }

  @Test
  @DisplayName("a permit is read with each renewal")
  void permit() throws Exception {
    Ticket permit = RenewingClient.ticket("permit", LEASE, Shape.semaphore(2), 1);
    assertThat(client.engine().attempt(permit, () -> {})).isInstanceOf(Standing.Granted.class);
    for (int i = 0; i < 10; i++) {
      assertThat(client.asksToRenew(permit)).isTrue();
    }
    assertThat(client.watched()).as("its key is").isOne();
    client.delete(permit);
    assertThat(client.renew(permit)).isInstanceOf(Renewal.Gone.class);
  }
}
