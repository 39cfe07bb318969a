package io.holdfast.zookeeper.verbs;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.StoreErrors.EngineFailure;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.Namespaces;
import io.holdfast.zookeeper.layout.RecordedGrant;
import io.holdfast.zookeeper.layout.ResizeRecords;
import io.holdfast.zookeeper.layout.TicketData;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.TicketState;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Creates the node of a joining ticket; returns whether it is the only child.
 *
 * <p>A join is one transaction: it checks that the namespace has the known generation, creates the
 * node, and writes to the resource's node. That write changes nothing but the version, by which
 * {@link ResizeRecords} notices that a ticket has joined. Its reply has the number of children, the
 * id of the transaction, which is the token, and the store's time. A ticket that is the only child
 * is granted without another look.
 *
 * <p>Joins of several resources are one transaction. If it fails, nothing of it was executed, and
 * each join is repeated by itself.
 */
final class NodeCreation extends VerbStep<Boolean> {

  private static final int MAX_TRIES = 20;
  private static final byte[] NOTHING = {};

  /** Errors that name a failed step: the transaction was not executed. */
  private static final Set<Code> NOT_EXECUTED =
      EnumSet.of(Code.NODEEXISTS, Code.NONODE, Code.BADVERSION, Code.NOAUTH, Code.INVALIDACL);

  private final StoreErrors errors;
  private final Session session;
  private final ZooKeeperConnection connection;
  private final Ticket ticket;
  private final Shape shape;
  private final TicketState state;
  private int triesLeft = MAX_TRIES;

  /**
   * Creates the join of a ticket.
   *
   * @param shape the shape that its node states
   */
  NodeCreation(StoreErrors errors, Session session, Ticket ticket, Shape shape, TicketState state) {
    this.errors = errors;
    this.session = session;
    this.connection = session.connection();
    this.ticket = ticket;
    this.shape = shape;
    this.state = state;
  }

  TicketState state() {
    return state;
  }

  /** Starts several joins; those whose namespace and line are known share one transaction. */
  static void startTogether(Session session, List<NodeCreation> creations) {
    List<NodeCreation> together = new ArrayList<>();
    for (NodeCreation each : creations) {
      if (session.namespaces().known(each.ticket) != null && session.isKnown(each.state.line())) {
        together.add(each);
      } else {
        each.run(each::alone);
      }
    }
    if (!together.isEmpty()) {
      sendTogether(session, together);
    }
  }

  private static void sendTogether(Session session, List<NodeCreation> together) {
    List<Op> steps = new ArrayList<>();
    Map<String, Op> checks = new LinkedHashMap<>();
    for (NodeCreation each : together) {
      Namespaces.@Nullable Generation known = session.namespaces().known(each.ticket);
      String path = session.namespaces().path(each.ticket);
      checks.put(path, Op.check(path, known == null ? Integer.MIN_VALUE : known.version()));
      each.addSteps(steps);
    }
    steps.addAll(0, checks.values());
    CompletableFuture<?> unused =
        session
            .connection()
            .transaction(steps)
            .whenComplete(
                (results, failure) -> {
                  for (int i = 0; i < together.size(); i++) {
                    NodeCreation each = together.get(i);
                    int first = checks.size() + 2 * i;
                    each.run(
                        failure == null
                            ? () -> each.hearJoined(results.get(first), results.get(first + 1))
                            : () -> each.hearFailureTogether(failure));
                  }
                });
  }

  /** If the transaction was not executed, one of the joins was in the way: each tries alone. */
  private void hearFailureTogether(Throwable failure) {
    if (mayBeExecuted(failure)) {
      fail(failure);
    } else {
      alone();
    }
  }

  private void addSteps(List<Op> steps) {
    steps.add(
        connection.createOp(
            state.line() + "/" + ChildName.ofTicket(ticket, shape),
            TicketData.write(ticket, RecordedGrant.NONE),
            CreateMode.EPHEMERAL_SEQUENTIAL));
    steps.add(Op.setData(state.line(), NOTHING, -1));
  }

  /** Joins by itself: creates missing parents and reads an unknown generation. */
  private void alone() {
    ask(session.namespaces().enter(ticket, errors.refusals()), this::sendAlone);
  }

  private void sendAlone(Namespaces.Generation generation) {
    List<Op> steps = new ArrayList<>();
    steps.add(Op.check(session.namespaces().path(ticket), generation.version()));
    if (!session.isKnown(state.line())) {
      steps.add(connection.createOp(state.line(), NOTHING, CreateMode.CONTAINER));
    }
    addSteps(steps);
    ask(
        connection.transaction(steps),
        results -> {
          session.setKnown(state.line(), true);
          hearJoined(results.get(results.size() - 2), results.get(results.size() - 1));
        },
        this::hearFailureAlone);
  }

  /** Corrects what was assumed wrongly about the line or the namespace, and tries again. */
  private void hearFailureAlone(Throwable failure) {
    Code code = StoreErrors.code(failure);
    if (triesLeft == 0 || mayBeExecuted(failure)) {
      fail(failure);
      return;
    } else if (code == Code.NODEEXISTS) {
      session.setKnown(state.line(), true);
    } else if (code == Code.NONODE) {
      // The line is missing, or the namespace, if all of it was deleted.
      session.setKnown(state.line(), false);
      session.namespaces().forget(ticket);
    } else if (code == Code.BADVERSION) {
      session.namespaces().forget(ticket);
    } else {
      fail(failure);
      return;
    }
    triesLeft--;
    alone();
  }

  private static boolean mayBeExecuted(Throwable failure) {
    Code code = StoreErrors.code(failure);
    return code == null || !NOT_EXECUTED.contains(code);
  }

  /**
   * The node is there.
   *
   * @throws EngineFailure when transaction ids have become too large for tokens
   */
  private void hearJoined(OpResult created, OpResult written) {
    String path = ((OpResult.CreateResult) created).getPath();
    Stat line = ((OpResult.SetDataResult) written).getStat();
    String name = path.substring(state.line().length() + 1);
    int place = ((ChildName.TicketName) ChildName.parse(name)).place();
    state.setNode(name, place, ticket.weight(), shape.capacity());
    state.setToken(errors.token(ticket, line.getMzxid()));
    state.setVersion(0);
    state.waitsSince(line.getMtime());
    complete(line.getNumChildren() == 1);
  }
}
