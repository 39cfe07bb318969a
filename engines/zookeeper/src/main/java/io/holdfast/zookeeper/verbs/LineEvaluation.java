package io.holdfast.zookeeper.verbs;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.DoneMarks;
import io.holdfast.zookeeper.layout.KeptMutexes;
import io.holdfast.zookeeper.layout.LineSnapshot;
import io.holdfast.zookeeper.layout.ResizeRecords;
import io.holdfast.zookeeper.layout.TicketNodes;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.TicketState;
import io.holdfast.zookeeper.session.TicketTable;
import io.holdfast.zookeeper.signals.PathWatcher;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Determines where a ticket with a node stands, and arms a signal if it must wait. */
final class LineEvaluation extends VerbStep<Standing> {

  /*
   * Why no rival gets in: a list of the children that was requested after the node was created
   * shows every ticket that joined before, from whatever server; it may only miss that some of them
   * have left. So a ticket that sees itself granted is granted. A ticket that does not arms a watch
   * on the right predecessor, and looks again if that one is gone already.
   *
   * Why one shape: the ticket that is first when it looks gives the resource its shape, and a
   * ticket of another kind behind it is refused, unless it was accepted before. So an accepted
   * ticket may still find a ticket of another kind ahead of it, which had joined and not looked: it
   * waits for that one like for any other, see LineSnapshot.seenAs. A granted ticket therefore has
   * no ticket of another kind ahead of it, nor any that may yet be granted; and since tickets are
   * granted by their places, tokens rise.
   */

  private static final int MAX_LOOKS = 100;

  private final VerbContext context;
  private final TicketTable tickets;
  private final StoreErrors errors;
  private final Ticket ticket;
  private final TicketState state;
  private final Session session;
  private final ZooKeeperConnection connection;
  private int looksLeft = MAX_LOOKS;

  /** Whether the list that is judged was requested with a watch on the line. */
  private boolean lineArmed;

  LineEvaluation(VerbContext context, Ticket ticket, TicketState state) {
    this.context = context;
    this.tickets = context.tickets();
    this.errors = context.errors();
    this.ticket = ticket;
    this.state = state;
    this.session = state.session();
    this.connection = session.connection();
  }

  /** Looks after a write of this ticket. */
  CompletableFuture<Standing> look() {
    return start(this::list);
  }

  /**
   * Evaluates a list that was requested behind the join of the ticket.
   *
   * @param list if it does not show the ticket, it was not behind the join, and is not used
   */
  CompletableFuture<Standing> evaluate(CompletableFuture<List<String>> list) {
    return start(
        () ->
            ask(
                list,
                children -> {
                  if (children.contains(state.name())) {
                    judge(state.lineCache().update(children));
                  } else {
                    list();
                  }
                },
                failure -> list()));
  }

  /** Looks at the current line, wherever it was written to. Costs the store no write. */
  CompletableFuture<Standing> lookAgain() {
    session.sync(state.line());
    return look();
  }

  /**
   * Checks with reads alone whether a waiter still waits: its own node is there, and so is its
   * predecessor, or the line is as it was seen last. If anything differs, it looks.
   */
  CompletableFuture<Standing> poll() {
    session.sync(state.line());
    Optional<String> watched = state.watchedNode();
    return start(
        () ->
            ask(
                connection.lastChildChanges(List.of(state.node(), watched.orElse(state.line()))),
                found -> {
                  OptionalLong other = found.get(1);
                  boolean same =
                      found.get(0).isPresent()
                          && other.isPresent()
                          && (watched.isPresent() || other.getAsLong() == state.seenChange());
                  if (same && !state.mustLook()) {
                    waitOn();
                  } else {
                    list();
                  }
                }));
  }

  private void list() {
    if (looksLeft == 0) {
      refuse(
          new EngineException.NotDone(
              errors.refusals().about(ticket) + " changes too quickly to be seen", null));
    } else if (isSemaphore() && state.version() == TicketState.UNKNOWN_VERSION) {
      // The node's version must be known before the list is requested: see SemaphoreEntry.
      ask(
          new SemaphoreEntry(errors, ticket, state).readOwnNode(),
          granted -> {
            if (granted) {
              tickets.markGranted(state);
              complete(context.granted(state));
            } else {
              requestList();
            }
          });
    } else {
      requestList();
    }
  }

  private void requestList() {
    lineArmed = false;
    ask(connection.children(state.line()), children -> judge(state.lineCache().update(children)));
  }

  private void listAgain() {
    looksLeft--;
    list();
  }

  private boolean isSemaphore() {
    return ticket.shape().kind() == Shape.Kind.SEMAPHORE;
  }

  private void judge(LineSnapshot line) {
    if (!line.marks().isEmpty()) {
      judgeMarks(line.marks());
    } else if (line.kept().isEmpty()) {
      state.setKeptAhead(Optional.empty());
      judgeTickets(line);
    } else {
      judgeKept(line);
    }
  }

  /** A mutex that stays without its client is a ticket like others, until its time is over. */
  private void judgeKept(LineSnapshot line) {
    ask(
        KeptMutexes.remaining(connection, state.line(), line, state.storeMillis()),
        left -> {
          if (left.isEmpty()) {
            listAgain();
          } else {
            state.setKeptAhead(left);
            judgeTickets(line);
          }
        });
  }

  private void judgeTickets(LineSnapshot line) {
    List<ChildName.TicketName> strays = strayNodes(line);
    if (!strays.isEmpty()) {
      ask(TicketNodes.remove(connection, state.line(), strays), gone -> listAgain());
      return;
    }
    Optional<EngineException> misfit = misfit(line);
    if (misfit.isPresent()) {
      ask(removeNode(), gone -> refuse(misfit.get()));
      return;
    }
    state.accept();
    state.setResized(!line.resizes().isEmpty());
    if (state.isResized()) {
      // If this fails, the next ticket that looks removes them.
      CompletableFuture<?> unused = ResizeRecords.removeReplaced(connection, state.line(), line);
    }
    LineSnapshot.View view = line.seenAs(ticket.shape());
    int index = view.indexOf(state.name());
    if (index < 0) {
      // Deleted by another client: the place is lost, and the ticket joins again.
      tickets.remove(state);
      refuse(
          new EngineException.NotDone(
              "the node of " + errors.refusals().about(ticket) + " was deleted", null));
      return;
    }
    state.setAhead(index);
    if (!view.isGranted(index)) {
      waitInLine(view, index);
    } else if (isSemaphore() || state.isResized()) {
      ask(
          new SemaphoreEntry(errors, ticket, state).enter(line, view, index),
          entry -> hearEntry(view, entry));
    } else {
      grant(view);
    }
  }

  /** The run is done, unless all marks have expired. */
  private void judgeMarks(List<ChildName.DoneMark> marks) {
    ask(
        DoneMarks.remaining(connection, state.line(), marks, state.storeMillis()),
        left -> {
          if (left.isEmpty()) {
            listAgain();
          } else {
            ask(removeNode(), gone -> done(left.get()));
          }
        });
  }

  private void done(Duration left) {
    if (ticket.shape().kind() == Shape.Kind.ONCE) {
      complete(new Standing.Done(left));
    } else {
      refuse(errors.refusals().shape(ticket, Shape.once()));
    }
  }

  /**
   * Returns nodes of this ticket that it does not know as its own: a join without a reply arrived
   * late, or belongs to a session that is over. No grant was reported for them, and no other client
   * removes them: the ticket would wait for itself.
   */
  private List<ChildName.TicketName> strayNodes(LineSnapshot line) {
    return state.isJoinInDoubt()
        ? line.removableNodesOf(ticket.id().encoded()).stream()
            .filter(node -> !node.name().equals(state.name()))
            .toList()
        : List.of();
  }

  /**
   * Returns why the ticket does not fit the line; an accepted ticket is checked for its weight
   * only.
   */
  private Optional<EngineException> misfit(LineSnapshot line) {
    Shape stored = line.shape().orElse(ticket.shape());
    boolean first = !line.isEmpty() && line.tickets().get(0).name().equals(state.name());
    if (!state.isAccepted() && !first && !ticket.shape().fits(stored)) {
      return Optional.of(errors.refusals().shape(ticket, stored));
    }
    int capacity = line.seenAs(ticket.shape()).capacity();
    boolean adopts = ticket.shape().capacity() == Shape.ADOPT;
    if (!state.isAccepted() && adopts && state.statedCapacity() != capacity) {
      // Its node must state the capacity that is valid now.
      return Optional.of(
          new EngineException.NotDone(
              errors.refusals().about(ticket) + " was resized just now", null));
    }
    return ticket.weight() > capacity
        ? Optional.of(errors.refusals().heavierThanCapacity(ticket, capacity))
        : Optional.empty();
  }

  private void hearEntry(LineSnapshot.View view, SemaphoreEntry.Outcome entry) {
    if (entry instanceof SemaphoreEntry.Outcome.Entered) {
      grant(view);
    } else if (entry instanceof SemaphoreEntry.Outcome.Blocked blocked) {
      waitForAnyChange(blocked.by());
    } else {
      listAgain();
    }
  }

  private void grant(LineSnapshot.View view) {
    state.setWanted(view.isWanted());
    tickets.markGranted(state);
    complete(context.granted(state));
  }

  private void waitInLine(LineSnapshot.View view, int index) {
    Optional<ChildName.TicketName> predecessor = view.predecessorOf(index);
    if (predecessor.isEmpty() || !ticket.waits()) {
      waitForAnyChange(view.tickets().get(0));
      return;
    }
    state.setLookedAt(tickets.now());
    ask(
        new PredecessorWatch(context, ticket, state, predecessor.get()).arm(view),
        there -> {
          if (there) {
            completeWaiting();
          } else {
            listAgain();
          }
        });
  }

  /**
   * Any change of the line may make room.
   *
   * @param holder a granted ticket
   */
  private void waitForAnyChange(ChildName.TicketName holder) {
    state.setLookedAt(tickets.now());
    if (!ticket.waits()) {
      var described = describe(holder.name());
      ask(removeNode(), gone -> ask(described, this::completeWaiting));
    } else if (lineArmed) {
      ask(describe(holder.name()), this::completeWaiting);
    } else {
      armLine();
    }
  }

  /** Arms a watch on the line with the same request that lists it, and judges that list. */
  private void armLine() {
    PathWatcher watcher = session.watches().ofChildren(state.line());
    state.listenTo(watcher);
    ask(
        connection.list(state.line(), watcher),
        children -> {
          state.setSeenChange(children.lastChange());
          looksLeft--;
          lineArmed = true;
          judge(state.lineCache().update(children.names()));
        },
        failure -> {
          watcher.armingFailed();
          state.suspect();
          fail(failure);
        });
  }

  /** It still waits, and a signal is armed; the holder is read if it is not known. */
  private void waitOn() {
    Optional<String> first = state.lineCache().first().filter(name -> !name.equals(state.name()));
    if (state.holder().isEmpty() && first.isPresent()) {
      ask(describe(first.get()), this::completeWaiting);
    } else {
      completeWaiting();
    }
  }

  private CompletableFuture<Optional<Standing.Holder>> describe(String holder) {
    return TicketNodes.holderAt(connection, state.line() + "/" + holder);
  }

  private void completeWaiting(Optional<Standing.Holder> holder) {
    state.setHolder(holder);
    completeWaiting();
  }

  private void completeWaiting() {
    complete(new Standing.Waiting(state.ahead(), state.retryAfter(), state.holder()));
  }

  /** Takes the ticket out of the line. */
  private CompletableFuture<Boolean> removeNode() {
    state.setLeaving();
    return connection
        .deleteIfPresent(state.node())
        .whenComplete(
            (gone, failure) -> {
              if (failure == null) {
                tickets.remove(state);
              }
            });
  }
}
