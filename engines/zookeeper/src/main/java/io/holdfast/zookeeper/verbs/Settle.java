package io.holdfast.zookeeper.verbs;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.LineSnapshot;
import io.holdfast.zookeeper.layout.TicketData;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.TicketState;
import io.holdfast.zookeeper.session.TicketTable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * Turns a granted ticket of {@code once} into a mark, or lets a mutex stay without its session, in
 * one transaction.
 */
final class Settle extends VerbStep<Boolean> {

  /*
   * Why no waiter gets in when a mutex is kept: its ephemeral node is replaced by a persistent one of
   * the same name, so its place in the line is taken at every moment, in every list and every cache.
   * The node is written to first. So the one-time watches on it fire for that change, not for the
   * deletion, which would let the next ticket in. A client that was not connected hears the same: its
   * watches are compared with the node that is there, which was changed.
   */

  private static final byte[] NOTHING = {};

  private final TicketTable tickets;
  private final Session session;
  private final ZooKeeperConnection connection;
  private final Ticket ticket;
  private final Duration keep;
  private final String line;

  private Settle(VerbContext context, Session session, Verb.Settle verb) {
    this.tickets = context.tickets();
    this.session = session;
    this.connection = session.connection();
    this.ticket = verb.ticket();
    this.keep = verb.keep();
    this.line = session.namespaces().line(ticket);
  }

  static CompletableFuture<Boolean> start(VerbContext context, Session session, Verb.Settle verb) {
    Settle settle = new Settle(context, session, verb);
    return context.tickets().inTurn(verb.ticket(), () -> settle.start(settle::begin));
  }

  private void begin() {
    TicketState state = tickets.find(ticket);
    boolean granted = state != null && state.session() == session && state.isGranted();
    if (tickets.hasSettled(ticket)) {
      // The reply to an earlier request was lost.
      lookAgain(granted ? state : null);
    } else if (state != null && granted) {
      settle(state);
    } else {
      complete(false);
    }
  }

  private void settle(TicketState state) {
    tickets.markSettled(ticket);
    state.setSettling();
    ask(
        connection.transaction(steps(state)),
        done -> settled(state),
        failure -> {
          Code code = StoreErrors.code(failure);
          if (code == Code.NONODE || code == Code.NODEEXISTS) {
            // An earlier request was executed, or the node was deleted.
            lookAgain(null);
          } else {
            fail(failure);
          }
        });
  }

  private List<Op> steps(TicketState state) {
    long millis = keep.isNegative() ? 0 : keep.plusNanos(999_999).toMillis();
    if (ticket.shape().kind() == Shape.Kind.ONCE) {
      String mark = line + "/" + ChildName.ofMark(Math.max(1, millis), ticket.id().encoded());
      return List.of(
          Op.delete(state.node(), -1), connection.createOp(mark, NOTHING, CreateMode.PERSISTENT));
    }
    if (millis == 0) {
      return List.of(Op.delete(state.node(), -1));
    }
    byte[] data = TicketData.writeKept(ticket, state.token(), keep);
    String record = line + "/" + ChildName.ofKept(millis, state.place());
    return List.of(
        Op.setData(state.node(), data, -1),
        Op.delete(state.node(), -1),
        connection.createOp(state.node(), data, CreateMode.PERSISTENT),
        connection.createOp(record, NOTHING, CreateMode.PERSISTENT));
  }

  private void settled(TicketState state) {
    if (state.isJoinInDoubt()) {
      tickets.expectLateJoin(ticket, session, line);
    }
    tickets.remove(state);
    complete(true);
  }

  /**
   * Looks for what an earlier request has left.
   *
   * @param state the ticket, if it may still be settled
   */
  private void lookAgain(@Nullable TicketState state) {
    session.sync(line);
    ask(
        connection.childrenOrNone(line),
        children -> {
          boolean found = isSettled(LineSnapshot.of(children));
          if (found && state != null) {
            settled(state);
          } else if (state != null) {
            settle(state);
          } else {
            complete(found);
          }
        });
  }

  private boolean isSettled(LineSnapshot snapshot) {
    String id = ticket.id().encoded();
    return ticket.shape().kind() == Shape.Kind.ONCE
        ? snapshot.marks().stream().anyMatch(mark -> mark.maker().equals(id))
        : snapshot.nodesOf(id).stream().anyMatch(node -> snapshot.keptAt(node.place()).isPresent());
  }
}
