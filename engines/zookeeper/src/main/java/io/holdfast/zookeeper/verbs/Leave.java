package io.holdfast.zookeeper.verbs;

import io.holdfast.spi.Left;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.ResizeRecords;
import io.holdfast.zookeeper.layout.TicketNodes;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.TicketState;
import io.holdfast.zookeeper.session.TicketTable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * Takes a ticket out of its line, whether it waits or is granted.
 *
 * <p>Tickets of a batch of which nothing but their nodes is stored leave in one transaction.
 */
final class Leave extends VerbStep<Left> {

  private final TicketTable tickets;
  private final VerbContext context;
  private final Ticket ticket;
  private final boolean inDoubt;

  private Leave(VerbContext context, Verb.Leave verb) {
    this.context = context;
    this.tickets = context.tickets();
    this.ticket = verb.ticket();
    this.inDoubt = verb.inDoubt();
  }

  /** Starts the leaves of a batch; each result completes on its own. */
  static List<CompletableFuture<Left>> startAll(VerbContext context, List<Verb.Leave> verbs) {
    List<CompletableFuture<Left>> results = new ArrayList<>();
    List<Leave> together = new ArrayList<>();
    List<TicketState> states = new ArrayList<>();
    for (Verb.Leave verb : verbs) {
      Leave leave = new Leave(context, verb);
      TicketState state = context.tickets().find(leave.ticket);
      boolean joins =
          state != null
              && leave.isSimple(state)
              && (states.isEmpty() || states.get(0).session() == state.session());
      results.add(
          context
              .tickets()
              .inTurn(leave.ticket, joins ? leave::result : () -> leave.start(leave::begin)));
      if (state != null && joins) {
        together.add(leave);
        states.add(state);
      }
    }
    if (!together.isEmpty()) {
      sendTogether(together, states);
    }
    return results;
  }

  /** Returns whether the ticket's node is everything that is stored of it. */
  private boolean isSimple(TicketState state) {
    return !inDoubt
        && !tickets.isBusy(ticket)
        && state.phase() != TicketState.Phase.JOINING
        && !state.session().isOver()
        && state.weightRecord() == null
        && state.revocation() == null
        && !state.isResized()
        && !state.isJoinInDoubt()
        && !state.isSettling();
  }

  private static void sendTogether(List<Leave> leaves, List<TicketState> states) {
    states.forEach(TicketState::setLeaving);
    if (leaves.size() == 1) {
      leaves.get(0).deleteNode(states.get(0));
      return;
    }
    List<Op> steps = new ArrayList<>();
    states.forEach(state -> steps.add(Op.delete(state.node(), -1)));
    CompletableFuture<?> unused =
        states
            .get(0)
            .session()
            .connection()
            .transaction(steps)
            .whenComplete(
                (results, failure) -> {
                  for (int i = 0; i < leaves.size(); i++) {
                    leaves.get(i).hearTogether(states.get(i), failure);
                  }
                });
  }

  private void hearTogether(TicketState state, @Nullable Throwable failure) {
    if (failure == null) {
      complete(left(state, true));
    } else if (StoreErrors.code(failure) == Code.NONODE) {
      // Another client deleted one of the nodes, and nothing was executed.
      deleteNode(state);
    } else {
      fail(failure);
    }
  }

  private void deleteNode(TicketState state) {
    ask(delete(state), present -> complete(left(state, present)));
  }

  private static CompletableFuture<Boolean> delete(TicketState state) {
    state.setLeaving();
    ZooKeeperConnection connection = state.session().connection();
    if (state.isSettling()) {
      // It may stay without this client, and then it is not for this client to remove.
      state.session().sync(state.line());
      return TicketNodes.removeAllOf(connection, state.line(), state.id().encoded())
          .thenApply(done -> false);
    }
    return connection.deleteIfPresent(state.node());
  }

  private Left left(TicketState state, boolean present) {
    tickets.remove(state);
    if (!present) {
      return Left.NOTHING;
    }
    return state.isGranted() ? Left.HOLDING : Left.WAITING;
  }

  private void begin() {
    TicketState state = tickets.find(ticket);
    if (inDoubt) {
      tickets.markDeparted(ticket);
    }
    if (state == null) {
      if (inDoubt) {
        expectLateJoin(context.sessions().peek());
      }
      complete(Left.NOTHING);
    } else if (state.session().isOver()) {
      tickets.remove(state);
      complete(Left.NOTHING);
    } else {
      if (inDoubt || state.isJoinInDoubt()) {
        tickets.expectLateJoin(ticket, state.session(), state.line());
      }
      leaveLine(state);
    }
  }

  /** Nothing is known of the ticket; a late join would arrive in the current session. */
  private void expectLateJoin(@Nullable Session session) {
    if (session != null && !session.isOver()) {
      tickets.expectLateJoin(ticket, session, session.namespaces().line(ticket));
    }
  }

  private void leaveLine(TicketState state) {
    if (state.phase() != TicketState.Phase.JOINING) {
      deleteEverything(state);
      return;
    }
    ask(
        new JoinRecovery(context, ticket, state).start(),
        found -> {
          if (found) {
            deleteEverything(state);
          } else {
            tickets.expectLateJoin(ticket, state.session(), state.line());
            tickets.remove(state);
            complete(Left.NOTHING);
          }
        });
  }

  /**
   * If the store has ended the session, it has removed the ticket's node with it. A detached client
   * cannot tell its own end from that, and a node that may be kept belongs to no session.
   */
  @Override
  void fail(Throwable failure) {
    TicketState state = tickets.find(ticket);
    if (state != null && isGoneWithSession(state, failure)) {
      complete(left(state, false));
    } else {
      super.fail(failure);
    }
  }

  private boolean isGoneWithSession(TicketState state, Throwable failure) {
    return StoreErrors.code(failure) == Code.SESSIONEXPIRED
        && !context.sessions().isClosed()
        && state.session().isOver()
        && !state.isSettling();
  }

  /** Deletes the node, the records about the ticket, and old resizes if the line is empty. */
  private void deleteEverything(TicketState state) {
    ask(
        delete(state),
        present -> {
          Left left = left(state, present);
          ask(deleteRecords(state), done -> complete(left));
        });
  }

  private static CompletableFuture<?> deleteRecords(TicketState state) {
    ZooKeeperConnection connection = state.session().connection();
    CompletableFuture<?> last = CompletableFuture.completedFuture(true);
    String weightRecord = state.weightRecord();
    if (weightRecord != null) {
      last = connection.deleteIfPresent(weightRecord);
    }
    if (state.revocation() != null) {
      last = connection.deleteIfPresent(state.line() + "/" + ChildName.ofRevocation(state.place()));
    }
    return state.isResized()
        ? ResizeRecords.sweep(connection, state.line()).handle((done, failure) -> true)
        : last;
  }
}
