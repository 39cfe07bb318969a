package io.holdfast.zookeeper.verbs;

import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.LineSnapshot;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.TicketState;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Finds the node of a ticket whose join got no reply; returns whether it is there.
 *
 * <p>It looks behind a write, because the connected server may not know yet what was done through
 * another one. A join that arrives even later is removed by the ticket's next look, or after the
 * ticket has left: see {@link TicketState#isJoinInDoubt}.
 */
final class JoinRecovery extends VerbStep<Boolean> {

  private final VerbContext context;
  private final Session session;
  private final Ticket ticket;
  private final TicketState state;

  JoinRecovery(VerbContext context, Ticket ticket, TicketState state) {
    this.context = context;
    this.session = state.session();
    this.ticket = ticket;
    this.state = state;
  }

  CompletableFuture<Boolean> start() {
    state.setJoinInDoubt(true);
    return start(
        () ->
            ask(
                session.catchUp(),
                done ->
                    ask(
                        session.connection().childrenOrNone(state.line()),
                        children ->
                            check(LineSnapshot.of(children).nodesOf(ticket.id().encoded()), 0))));
  }

  /** A node of an earlier session is about to vanish, and must not be taken for this one. */
  private void check(List<ChildName.TicketName> found, int next) {
    if (next == found.size()) {
      complete(false);
      return;
    }
    ChildName.TicketName node = found.get(next);
    ask(
        session.connection().stat(state.line() + "/" + node.name()),
        stat -> {
          if (stat.isEmpty() || stat.get().getEphemeralOwner() != session.id()) {
            check(found, next + 1);
            return;
          }
          state.setNode(node.name(), node.place(), node.weight(), node.shape().capacity());
          state.setToken(context.errors().token(ticket, stat.get().getCzxid()));
          state.waitsSince(session.storeMillis());
          complete(true);
        });
  }
}
