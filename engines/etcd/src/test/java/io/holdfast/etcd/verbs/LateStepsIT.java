package io.holdfast.etcd.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.TxnRequest;
import io.holdfast.etcd.Engines;
import io.holdfast.etcd.layout.Layout;
import io.holdfast.etcd.session.SharedLease;
import io.holdfast.etcd.session.TicketTable;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Transactions that arrive after the attempt that sent them was given up and repeated. */
class LateStepsIT {

  private static EtcdServer server;
  private static LockEngine other;
  private static long tickets;

  @BeforeAll
  static void start() {
    server = EtcdServer.start();
    other = Engines.patient(server.uri());
  }

  @AfterAll
  static void stop() {
    other.close();
    server.close();
  }

  @Test
  @DisplayName("a reader that got in with a repeated try is not removed by the first one")
  void reader() throws Exception {
    Resource name = new Resource("default", "late-reader");
    Shape shape = Shape.readWrite();
    lateWithdrawal(
        ticket(name, shape, shape.capacity(), true), ticket(name, shape, 1, /* waits= */ false));
  }

  @Test
  @DisplayName("a permit that was got with a repeated try is not taken back by the first one")
  void permit() throws Exception {
    Resource name = new Resource("default", "late-permit");
    Shape shape = Shape.semaphore(2);
    lateWithdrawal(ticket(name, shape, 2, true), ticket(name, shape, 1, /* waits= */ false));
  }

  private static void lateWithdrawal(Ticket holder, Ticket tries) throws Exception {
    assertThat(other.attempt(holder, () -> {})).isInstanceOf(Standing.Granted.class);
    try (SteppedClient client = new SteppedClient(server.uri())) {
      SteppedClient.SteppedAttempt first = client.attempt(tries);
      assertThat(first.next()).as("it has joined, is not in, and withdraws next").isFalse();
      TxnRequest late = first.getsNoReply();
      other.leave(holder, false);

      Standing.Granted granted = (Standing.Granted) client.attempt(tries).rest();
      client.send(late);

      Standing.Granted again = (Standing.Granted) client.attempt(tries).rest();
      assertThat(again.token()).as("it is still the same").isEqualTo(granted.token());
    }
  }

  @Test
  @DisplayName("what another ticket has left on a key is not taken for one's own")
  void stranger() throws Exception {
    Ticket first = ticket(new Resource("default", "stranger"), Shape.readWrite(), 1, true);
    Ticket second = ticket(first.resource(), Shape.readWrite(), 1, true);
    try (SteppedClient client = new SteppedClient(server.uri())) {
      Standing.Granted granted = (Standing.Granted) client.attempt(first).rest();
      // As if its key had been given back by mistake.
      client.context().tickets().gone(first.id());
      assertThat(client.attempt(second)).satisfies(attempt -> fails(attempt));
      Standing.Granted own = (Standing.Granted) client.attempt(second).rest();
      assertThat(own.token()).isNotEqualTo(granted.token());
      assertThat(keys(first)).hasSize(2);
    }
  }

  private static void fails(SteppedClient.SteppedAttempt attempt) {
    org.assertj.core.api.Assertions.assertThatThrownBy(attempt::rest)
        .hasMessageContaining("another ticket");
  }

  @Test
  @DisplayName("a ticket under another lease of its client moves, and keeps its place and token")
  void moves() throws Exception {
    Ticket holder = ticket(new Resource("default", "moves"), Shape.semaphore(1), 1, true);
    try (SteppedClient client = new SteppedClient(server.uri())) {
      Standing.Granted granted = (Standing.Granted) client.attempt(holder).rest();
      SharedLease session = client.context().leases().of(holder);
      long before = session.id();
      session.lost(before);
      Standing.Granted again = (Standing.Granted) client.attempt(holder).rest();
      assertThat(again.token()).isEqualTo(granted.token());
      assertThat(session.id()).isNotEqualTo(before);
      assertThat(again.validFor()).isPositive();
      server.ctl("lease", "revoke", Long.toHexString(before));
      assertThat(keys(holder)).hasSize(1);
    }
  }

  @Test
  @DisplayName(
      "a mutex that may be kept in the store is not removed by the client that got no reply")
  void keptWithoutReply() throws Exception {
    Resource name = new Resource("default", "kept-late");
    Shape shape = Shape.mutex(Order.ANY);
    Ticket holder = ticket(name, shape, 1, true);
    try (SteppedClient client = new SteppedClient(server.uri())) {
      Standing.Granted granted = (Standing.Granted) client.attempt(holder).rest();
      client.keepUnanswered(holder, Duration.ofMinutes(1));
      TicketTable.Entry entry = client.context().tickets().find(holder.id());
      client.send(Housekeeping.removal(client.context(), entry));
      assertThat(keys(holder)).hasSize(1);
      Standing.Waiting behind =
          (Standing.Waiting) client.attempt(ticket(name, shape, 1, true)).rest();
      assertThat(behind.holder().orElseThrow().token()).isEqualTo(granted.token());
      assertThat(keys(holder)).hasSize(2);
    }
  }

  @Test
  @DisplayName("a late move to a lease of its client does not keep alive what it has left there")
  void lateMove() throws Exception {
    Resource name = new Resource("default", "late-move");
    Shape shape = Shape.mutex(Order.ANY);
    Ticket holder = ticket(name, shape, 1, true);
    assertThat(other.attempt(holder, () -> {})).isInstanceOf(Standing.Granted.class);
    try (SteppedClient client = new SteppedClient(server.uri())) {
      Ticket waiter = ticket(name, shape, 1, true);
      assertThat(client.attempt(waiter).rest()).isInstanceOf(Standing.Waiting.class);
      SharedLease session = client.context().leases().of(waiter);
      session.lost(session.id());
      SteppedClient.SteppedAttempt first = client.attempt(waiter);
      assertThat(first.next()).as("it still waits, and moves next").isFalse();
      TxnRequest late = first.getsNoReply();
      other.leave(holder, false);
      assertThat(client.attempt(waiter).rest()).isInstanceOf(Standing.Granted.class);
      assertThat(client.keep(waiter, Duration.ofMinutes(1))).isTrue();

      assertThat(client.send(late).getSucceeded()).as("moved").isFalse();
      server.ctl("lease", "revoke", Long.toHexString(session.id()));
      assertThat(keys(waiter)).as("it does not depend on the client").hasSize(1);
    }
  }

  @Test
  @DisplayName("a waiter that has moved without its client's knowledge goes on from there")
  void movedWithoutReply() throws Exception {
    Resource name = new Resource("default", "moved");
    Shape shape = Shape.mutex(Order.ANY);
    Ticket holder = ticket(name, shape, 1, true);
    assertThat(other.attempt(holder, () -> {})).isInstanceOf(Standing.Granted.class);
    try (SteppedClient client = new SteppedClient(server.uri())) {
      Ticket waiter = ticket(name, shape, 1, true);
      assertThat(client.attempt(waiter).rest()).isInstanceOf(Standing.Waiting.class);
      SharedLease session = client.context().leases().of(waiter);
      long before = session.id();
      session.lost(before);
      SteppedClient.SteppedAttempt first = client.attempt(waiter);
      assertThat(first.next()).as("it still waits, and moves next").isFalse();
      assertThat(client.send(first.getsNoReply()).getSucceeded()).as("moved").isTrue();

      assertThat(client.attempt(waiter).rest()).isInstanceOf(Standing.Waiting.class);
      server.ctl("lease", "revoke", Long.toHexString(before));
      assertThat(keys(waiter)).as("the holder and the waiter").hasSize(2);
      other.leave(holder, false);
      assertThat(client.attempt(waiter).rest()).isInstanceOf(Standing.Granted.class);
    }
  }

  @Test
  @DisplayName("of two requests to keep a mutex, the late one does not change what is kept")
  void lateKeep() throws Exception {
    Resource name = new Resource("default", "late-keep");
    Ticket holder = ticket(name, Shape.mutex(Order.ANY), 1, true);
    try (SteppedClient client = new SteppedClient(server.uri())) {
      assertThat(client.attempt(holder).rest()).isInstanceOf(Standing.Granted.class);
      TxnRequest late = client.keepDelayed(holder, Duration.ofSeconds(1));
      assertThat(client.keep(holder, Duration.ofMinutes(1))).isTrue();
      assertThat(client.send(late).getSucceeded()).as("written again").isFalse();
    }
  }

  @Test
  @DisplayName(
      "a ticket that another engine speaks for is not removed by the one that had no reply")
  void adopted() throws Exception {
    Ticket ticket = ticket(new Resource("default", "adopted"), Shape.mutex(Order.ANY), 1, true);
    try (SteppedClient client = new SteppedClient(server.uri())) {
      client.send(client.attempt(ticket).getsNoReply());
      Standing.Granted granted = (Standing.Granted) other.attempt(ticket, () -> {});

      client.pass(Duration.ofHours(1));
      List<TicketTable.Entry> removed = client.context().tickets().takeExpired();
      assertThat(removed).as("what it does not know to be in the store").hasSize(1);
      client.send(Housekeeping.removal(client.context(), removed.get(0)));

      assertThat(keys(ticket)).hasSize(1);
      Standing.Granted again = (Standing.Granted) other.attempt(ticket, () -> {});
      assertThat(again.token()).isEqualTo(granted.token());
      other.leave(ticket, false);
    }
  }

  @Test
  @DisplayName("a ticket without a reply that nobody speaks for is removed by its client")
  void notAdopted() throws Exception {
    Ticket ticket = ticket(new Resource("default", "doubtful"), Shape.mutex(Order.ANY), 1, true);
    try (SteppedClient client = new SteppedClient(server.uri())) {
      client.send(client.attempt(ticket).getsNoReply());
      assertThat(keys(ticket)).hasSize(1);
      client.pass(Duration.ofHours(1));
      for (TicketTable.Entry entry : client.context().tickets().takeExpired()) {
        client.send(Housekeeping.removal(client.context(), entry));
      }
      assertThat(keys(ticket)).isEmpty();
    }
  }

  private static List<String> keys(Ticket ticket) {
    ByteString line = new Layout("holdfast/").of(ticket.resource(), ticket.shape()).line().from();
    return server.keys(line.toStringUtf8());
  }

  private static Ticket ticket(Resource name, Shape shape, int weight, boolean waits) {
    return new Ticket(
        new Ticket.Id(1, 2, ++tickets),
        name,
        shape,
        weight,
        Duration.ofSeconds(30),
        0,
        waits,
        new Owner("", "here", 1, "test", ""));
  }
}
