package io.holdfast.zookeeper.verbs;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.LineSnapshot;
import io.holdfast.zookeeper.session.HeldLockScan;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.TicketState;
import io.holdfast.zookeeper.session.TicketTable;
import io.holdfast.zookeeper.signals.PathWatcher;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Reports how long the session of a granted ticket surely lasts, or that the ticket is gone.
 *
 * <p>The heartbeat keeps the session alive for all tickets; a renewal sends one more if the last
 * one is not fresh. The line is read by the first renewal, which leaves a watch, and later only
 * when something has happened. That read is behind a write, which the renewals of a batch share, so
 * it shows everything that was written about the ticket before, at whichever server. {@link
 * HeldLockScan} finds signals that were lost. So 10,000 held tickets cost as many requests as ten.
 */
final class Renew extends VerbStep<Renewal> {

  private final VerbContext context;
  private final TicketTable tickets;
  private final Ticket ticket;

  private Renew(VerbContext context, Ticket ticket) {
    this.context = context;
    this.tickets = context.tickets();
    this.ticket = ticket;
  }

  /** Starts the renewals of a batch; each result completes on its own. */
  static List<CompletableFuture<Renewal>> startAll(VerbContext context, List<Verb.Renew> verbs) {
    Set<Session> pushed = new HashSet<>();
    List<CompletableFuture<Renewal>> results = new ArrayList<>();
    for (Verb.Renew verb : verbs) {
      Renew renew = new Renew(context, verb.ticket());
      TicketState state = context.tickets().find(verb.ticket());
      if (state != null && state.mustLook() && pushed.add(state.session())) {
        state.session().push();
      }
      results.add(context.tickets().inTurn(verb.ticket(), () -> renew.start(renew::begin)));
    }
    return results;
  }

  private void begin() {
    TicketState state = tickets.find(ticket);
    if (state == null) {
      gone(
          tickets.wasLostWithSession(ticket)
              ? Renewal.Cause.SESSION_OVER
              : Renewal.Cause.UNKNOWN_TICKET);
      return;
    }
    String revocation = state.revocation();
    if (state.session().isOver()) {
      lostWithSession(state);
    } else if (!state.isGranted()) {
      gone(Renewal.Cause.UNKNOWN_TICKET);
    } else if (revocation != null) {
      complete(new Renewal.Gone(Renewal.Cause.REVOKED, revocation));
    } else if (state.session().validity().isStale()) {
      ask(state.session().beat(), confirmed -> renew(state));
    } else {
      renew(state);
    }
  }

  private void renew(TicketState state) {
    Session session = state.session();
    boolean silent = session.validity().silence() > tickets.leaseNanos() / 3;
    if (session.isOver()) {
      lostWithSession(state);
    } else if (session.validity().remaining() <= 0 || silent) {
      refuse(unconfirmed(session));
    } else if (state.mustLook() && (state.isScanned() || tickets.takeFirstLook())) {
      // A signalled ticket looks at once; only tickets that begin to listen take turns.
      look(state);
    } else {
      renewed(state);
    }
  }

  /**
   * Reports a login that lost its rights; every other failure means that the store did not reply.
   */
  private EngineException unconfirmed(Session session) {
    StoreErrors errors = context.errors();
    Throwable failure = session.lastBeatFailure();
    return failure != null
            && errors.translate(failure, session.ownNode())
                instanceof EngineException.Refused refused
        ? refused
        : new EngineException.Unknown(
            "a majority of " + errors.store() + " has not confirmed the session recently", failure);
  }

  private void renewed(TicketState state) {
    // Armed already, unless the connection was lost while the watch was being set.
    state.ownNode().arm();
    complete(new Renewal.Renewed(context.validFor(state), state.isWanted()));
  }

  /** Lists the line with a watch, so that the next look is needed only after a change. */
  private void look(TicketState state) {
    Session session = state.session();
    PathWatcher watcher = session.watches().ofChildren(state.line());
    context.heldLocks().add(state);
    state.onWake(() -> {});
    state.listenTo(watcher);
    ask(
        session.connection().list(state.line(), watcher),
        children -> {
          state.setSeenChange(children.lastChange());
          judge(state, LineSnapshot.of(children.names()));
        },
        failure -> {
          watcher.armingFailed();
          state.suspect();
          if (StoreErrors.code(failure) == Code.NONODE) {
            nodeGone(state);
          } else {
            fail(failure);
          }
        });
  }

  private void judge(TicketState state, LineSnapshot line) {
    Optional<ChildName.Revoked> revocation = line.revocationOf(state.place());
    Optional<ChildName.TicketName> mine =
        line.tickets().stream().filter(each -> each.name().equals(state.name())).findFirst();
    if (revocation.isPresent()) {
      revoked(state, revocation.get());
    } else if (mine.isEmpty()) {
      nodeGone(state);
    } else {
      state.setWanted(line.seenAs(mine.get().shape()).isWanted());
      renewed(state);
    }
  }

  /** The record stays until the ticket leaves; that of an evicted ticket until it is swept. */
  private void revoked(TicketState state, ChildName.Revoked record) {
    ask(
        state.session().connection().read(state.line() + "/" + record.name()),
        node -> {
          String reason = new String(node.data(), StandardCharsets.UTF_8);
          state.setRevocation(reason);
          complete(new Renewal.Gone(Renewal.Cause.REVOKED, reason));
        });
  }

  /** Its node was deleted, or went with the session, whose end is not known here yet. */
  private void nodeGone(TicketState state) {
    ask(
        state.session().beat(),
        confirmed -> {
          if (state.session().isOver()) {
            lostWithSession(state);
          } else {
            tickets.remove(state);
            gone(Renewal.Cause.UNKNOWN_TICKET);
          }
        });
  }

  private void lostWithSession(TicketState state) {
    tickets.markLostWithSession(state);
    gone(Renewal.Cause.SESSION_OVER);
  }

  private void gone(Renewal.Cause cause) {
    complete(new Renewal.Gone(cause, ""));
  }
}
