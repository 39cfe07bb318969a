package io.holdfast.zookeeper.verbs;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.DoneMarks;
import io.holdfast.zookeeper.layout.KeptMutexes;
import io.holdfast.zookeeper.layout.LineSnapshot;
import io.holdfast.zookeeper.layout.TicketData;
import io.holdfast.zookeeper.layout.TicketNodes;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.TicketState;
import io.holdfast.zookeeper.session.TicketTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * Joins the line of a resource, or reports where the ticket stands in it.
 *
 * <ol>
 *   <li>A new ticket joins with one transaction ({@link NodeCreation}). If its node is the only
 *       child, it is granted.
 *   <li>Otherwise a list of the children shows where it stands ({@link LineEvaluation}): granted,
 *       or waiting with a watch on its predecessor ({@link PredecessorWatch}).
 *   <li>A ticket that must leave no trace if it has to wait, or that adopts the stored capacity,
 *       looks before it joins.
 *   <li>A waiter that asks again reads two nodes while its signal is armed. A holder that asks
 *       again may reduce its weight.
 * </ol>
 */
final class Attempt extends VerbStep<Standing> {

  private static final int MAX_PEEKS = 20;

  /** A grant for less than this part of the lease is not worth reporting. */
  private static final int MIN_LEASE_PARTS = 5;

  private static final byte[] NOTHING = {};

  private final VerbContext context;
  private final TicketTable tickets;
  private final StoreErrors errors;
  private final Session session;
  private final ZooKeeperConnection connection;
  private final Ticket ticket;
  private final Wake wake;
  private int peeksLeft = MAX_PEEKS;

  /** The state that this attempt added, if it joined: it is cleaned up when it is refused. */
  private @Nullable TicketState newcomer;

  /** The state of an earlier join that did not arrive; it is forgotten when this one succeeds. */
  private @Nullable TicketState unanswered;

  private Attempt(VerbContext context, Session session, Verb.Attempt verb) {
    this.context = context;
    this.tickets = context.tickets();
    this.errors = context.errors();
    this.session = session;
    this.connection = session.connection();
    this.ticket = verb.ticket();
    this.wake = verb.wake();
  }

  /**
   * Starts the attempts of a batch. New tickets that simply want to be in line join in one
   * transaction; each result completes on its own.
   */
  static List<CompletableFuture<Standing>> startAll(
      VerbContext context, Session session, List<Verb.Attempt> verbs) {
    List<CompletableFuture<Standing>> results = new ArrayList<>();
    List<Attempt> joining = new ArrayList<>();
    List<NodeCreation> creations = new ArrayList<>();
    for (Verb.Attempt verb : verbs) {
      Attempt attempt = new Attempt(context, session, verb);
      boolean joins = attempt.isSimpleNewcomer();
      results.add(
          context
              .tickets()
              .inTurn(
                  attempt.ticket, joins ? attempt::result : () -> attempt.start(attempt::begin)));
      if (joins) {
        joining.add(attempt);
        creations.add(attempt.nodeCreation(attempt.ticket.shape()));
      }
    }
    NodeCreation.startTogether(session, creations);
    for (int i = 0; i < joining.size(); i++) {
      joining.get(i).awaitNode(creations.get(i));
    }
    return results;
  }

  private boolean isSimpleNewcomer() {
    return ticket.waits()
        && ticket.shape().capacity() != Shape.ADOPT
        && tickets.find(ticket) == null
        && !tickets.hasDeparted(ticket)
        && !tickets.isBusy(ticket);
  }

  private void begin() {
    if (tickets.hasDeparted(ticket)) {
      refuse(errors.refusals().left(ticket));
      return;
    }
    TicketState state = tickets.find(ticket);
    if (state != null && state.session() != session) {
      // Its node went with its session.
      tickets.remove(state);
      state = null;
    }
    if (state == null) {
      enter();
      return;
    }
    state.onWake(wake);
    switch (state.phase()) {
      case JOINING -> recoverJoin(state);
      case WAITING -> askAgain(state);
      case GRANTED -> askAsHolder(state);
    }
  }

  // A ticket without a node.

  /** Joins; looks first if the ticket must leave no trace, or needs the stored capacity. */
  private void enter() {
    if (ticket.waits() && ticket.shape().capacity() != Shape.ADOPT) {
      join(ticket.shape());
    } else {
      ask(
          session.catchUp(),
          done ->
              ask(
                  connection.childrenOrNone(session.namespaces().line(ticket)),
                  children -> hearLine(LineSnapshot.of(children))));
    }
  }

  private void hearLine(LineSnapshot line) {
    if (!line.marks().isEmpty() && peeksLeft > 0) {
      hearMarks(line.marks());
    } else if (!line.kept().isEmpty() && peeksLeft > 0) {
      hearKept(line);
    } else {
      hearTickets(line, tickets.retryAfter());
    }
  }

  private void hearKept(LineSnapshot line) {
    ask(
        KeptMutexes.remaining(
            connection, session.namespaces().line(ticket), line, session.storeMillis()),
        left -> {
          if (left.isEmpty()) {
            peeksLeft--;
            enter();
          } else {
            hearTickets(line, left.get());
          }
        });
  }

  private void hearTickets(LineSnapshot line, Duration retryAfter) {
    Shape stored = line.shape().orElse(ticket.shape());
    if (ticket.shape().capacity() == Shape.ADOPT && line.isEmpty()) {
      refuse(errors.refusals().nothingToAdopt(ticket));
    } else if (!ticket.shape().fits(stored)) {
      refuse(errors.refusals().shape(ticket, stored));
    } else if (ticket.weight() > stored.capacity()) {
      refuse(errors.refusals().heavierThanCapacity(ticket, stored.capacity()));
    } else if (ticket.waits() || line.seenAs(stored).hasRoomFor(ticket.weight())) {
      join(stored);
    } else {
      List<ChildName.TicketName> ahead = line.tickets();
      String first = session.namespaces().line(ticket) + "/" + ahead.get(0).name();
      ask(
          TicketNodes.holderAt(connection, first),
          holder -> complete(new Standing.Waiting(ahead.size(), retryAfter, holder)));
    }
  }

  private void hearMarks(List<ChildName.DoneMark> marks) {
    ask(
        DoneMarks.remaining(
            connection, session.namespaces().line(ticket), marks, session.storeMillis()),
        left -> {
          if (left.isEmpty()) {
            peeksLeft--;
            enter();
          } else if (ticket.shape().kind() == Shape.Kind.ONCE) {
            complete(new Standing.Done(left.get()));
          } else {
            refuse(errors.refusals().shape(ticket, Shape.once()));
          }
        });
  }

  private void join(Shape shape) {
    NodeCreation creation = nodeCreation(shape);
    NodeCreation.startTogether(session, List.of(creation));
    awaitNode(creation);
  }

  private NodeCreation nodeCreation(Shape shape) {
    TicketState before = tickets.find(ticket);
    TicketState state = tickets.add(ticket, session);
    state.onWake(wake);
    state.setJoinInDoubt(before != null && before.isJoinInDoubt());
    newcomer = state;
    return new NodeCreation(errors, session, ticket, shape, state);
  }

  /**
   * Where other tickets of this client are in line, a newcomer is hardly alone: then the list is
   * requested right behind the join, in the same trip.
   */
  private void awaitNode(NodeCreation creation) {
    TicketState state = creation.state();
    CompletableFuture<List<String>> list =
        state.lineCache().isShared()
            ? connection.children(state.line())
            : CompletableFuture.completedFuture(List.of());
    ask(
        creation.result(),
        alone -> hearJoined(state, alone, list),
        failure -> {
          boolean unknown = errors.translate(failure, ticket) instanceof EngineException.Unknown;
          if (!state.hasNode() && !unknown) {
            // The store created nothing.
            tickets.remove(state);
          }
          fail(failure);
        });
  }

  private void hearJoined(TicketState state, boolean alone, CompletableFuture<List<String>> list) {
    if (PlaceLimit.isReached(state.place())) {
      ask(
          PlaceLimit.restartLine(tickets, state),
          done -> refuse(PlaceLimit.refusal(errors.refusals().about(ticket))));
    } else if (alone) {
      state.accept();
      tickets.markGranted(state);
      complete(context.granted(state));
    } else {
      ask(new LineEvaluation(context, ticket, state).evaluate(list), this::complete);
    }
  }

  // A ticket whose join got no reply.

  /** If the join arrived, its node has the ticket's id; otherwise the ticket joins again. */
  private void recoverJoin(TicketState state) {
    ask(
        new JoinRecovery(context, ticket, state).start(),
        found -> {
          if (found) {
            ask(new LineEvaluation(context, ticket, state).look(), this::complete);
          } else {
            unanswered = state;
            enter();
          }
        });
  }

  // A waiter.

  private void askAgain(TicketState state) {
    boolean fresh = tickets.now() - state.lookedAt() < tickets.leaseNanos() / 3;
    LineEvaluation evaluation = new LineEvaluation(context, ticket, state);
    ask(
        state.mustLook() || !fresh || state.isKeptOver() || ticket.shape().kind() == Shape.Kind.ONCE
            ? evaluation.lookAgain()
            : evaluation.poll(),
        this::complete);
  }

  // A holder.

  private void askAsHolder(TicketState state) {
    String revocation = state.revocation();
    if (revocation != null) {
      refuse(errors.refusals().revoked(ticket, revocation));
    } else if (ticket.weight() > state.weight()) {
      refuse(errors.refusals().heavierThanBefore(ticket, state.weight()));
    } else if (ticket.weight() < state.weight()) {
      reduceWeight(state);
    } else {
      grantAgain(state);
    }
  }

  /** A record next to the node states the weight; the node is written to for its watchers. */
  private void reduceWeight(TicketState state) {
    String record = state.line() + "/" + ChildName.ofWeight(ticket.weight(), state.place());
    String before = state.weightRecord();
    List<Op> steps = new ArrayList<>();
    if (before != null) {
      steps.add(Op.delete(before, -1));
    }
    steps.add(connection.createOp(record, NOTHING, CreateMode.EPHEMERAL));
    steps.add(Op.setData(state.node(), TicketData.write(ticket, state.recordedGrant()), -1));
    ask(
        connection.transaction(steps),
        done -> weightReduced(state, record),
        failure -> {
          if (StoreErrors.code(failure) == Code.NODEEXISTS) {
            // The reply to an earlier request was lost.
            weightReduced(state, record);
          } else {
            fail(failure);
          }
        });
  }

  private void weightReduced(TicketState state, String record) {
    state.reduceWeight(ticket.weight(), record);
    complete(context.granted(state));
  }

  /**
   * A holder whose grant is about to end asks again at once, and would do so without a pause until
   * a heartbeat has shown that the session lasts. So it waits for one, if a heartbeat counts by
   * now; otherwise it is asked to come back.
   */
  private void grantAgain(TicketState state) {
    if (isAlmostOver() && session.validity().isStale()) {
      ask(session.beat(), done -> grantIfWorthwhile(state));
    } else {
      grantIfWorthwhile(state);
    }
  }

  private void grantIfWorthwhile(TicketState state) {
    if (isAlmostOver()) {
      refuse(
          new EngineException.NotDone(
              "it is not known yet how long the session at " + errors.store() + " lasts", null));
    } else {
      complete(context.granted(state));
    }
  }

  private boolean isAlmostOver() {
    return session.validity().remaining() < tickets.leaseNanos() / MIN_LEASE_PARTS;
  }

  // The end.

  @Override
  void complete(Standing standing) {
    forgetUnanswered();
    super.complete(standing);
  }

  /**
   * The caller of a refused newcomer sends no further verb, not even a leave. So everything of the
   * ticket is removed, here and in the store, even if it has joined and may not read the line.
   */
  @Override
  void fail(Throwable failure) {
    TicketState state = newcomer;
    if (!(errors.translate(failure, ticket) instanceof EngineException.Refused)) {
      super.fail(failure);
      return;
    }
    forgetUnanswered();
    if (state == null) {
      super.fail(failure);
      return;
    }
    newcomer = null;
    boolean stands = tickets.isCurrent(state) && state.hasNode();
    tickets.remove(state);
    if (state.isJoinInDoubt() || stands) {
      tickets.expectLateJoin(ticket, session, state.line());
    }
    if (stands) {
      CompletableFuture<?> unused =
          connection
              .deleteIfPresent(state.node())
              .whenComplete((gone, other) -> super.fail(failure));
    } else {
      super.fail(failure);
    }
  }

  private void forgetUnanswered() {
    TicketState state = unanswered;
    if (state != null) {
      tickets.remove(state);
    }
  }
}
