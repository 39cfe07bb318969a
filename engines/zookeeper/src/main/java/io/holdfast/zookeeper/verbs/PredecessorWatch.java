package io.holdfast.zookeeper.verbs;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.LineSnapshot;
import io.holdfast.zookeeper.layout.TicketNodes;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.TicketState;
import io.holdfast.zookeeper.session.TicketTable;
import io.holdfast.zookeeper.signals.OwnNodeWatch;
import io.holdfast.zookeeper.signals.PathWatcher;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;

/**
 * Watches the predecessor of a waiter; when it is gone, grants or wakes the waiter.
 *
 * <p>If no other ticket is ahead of the waiter according to the client's {@code LineCache}, it is
 * granted without a request, which saves a trip in every turn of a mutex. To know that in time, the
 * ticket ahead of the predecessor is watched too. Otherwise the line is listed at once, on the
 * connection's own thread.
 *
 * <p>Why no rival gets in: a list that shows a ticket shows all tickets ahead of it, from whatever
 * server, so the first one in the cache is the first one in the store. That holds only while its
 * own node is there: {@link OwnNodeWatch} says so, or else the list must show it.
 */
final class PredecessorWatch extends VerbStep<Boolean> {

  /** The length of the part of a ticket id that is the client's. */
  private static final int CLIENT_PART = 33;

  private final VerbContext context;
  private final TicketTable tickets;
  private final Ticket ticket;
  private final TicketState state;
  private final ChildName.TicketName predecessor;
  private final Session session;
  private final ZooKeeperConnection connection;

  PredecessorWatch(
      VerbContext context, Ticket ticket, TicketState state, ChildName.TicketName predecessor) {
    this.context = context;
    this.tickets = context.tickets();
    this.ticket = ticket;
    this.state = state;
    this.predecessor = predecessor;
    this.session = state.session();
    this.connection = session.connection();
  }

  private boolean isMutex() {
    return ticket.shape().kind() == Shape.Kind.MUTEX;
  }

  /**
   * Arms the watch; returns whether the predecessor is there.
   *
   * <p>Where other tickets of this client are in line, one of them may have been woken and wait for
   * the lane that this verb occupies: then the result does not wait for the store. Nothing is lost:
   * if the predecessor turns out to be gone, or the store does not reply, the ticket is woken.
   */
  CompletableFuture<Boolean> arm(LineSnapshot.View view) {
    String path = path(predecessor);
    PathWatcher watcher = session.watches().ofNode(path);
    state.listenTo(watcher, path, this::onGone);
    CompletableFuture<ZooKeeperConnection.Node> read = connection.read(path, watcher);
    boolean shared = state.lineCache().isShared();
    if (isMutex()) {
      state.ownNode().arm();
    }
    if (isMutex() && state.ahead() > 1) {
      watchOneFurtherAhead(view.tickets().get(state.ahead() - 2));
    }
    ChildName.TicketName first = view.tickets().get(0);
    CompletableFuture<Boolean> armed =
        start(
            () ->
                ask(
                    read,
                    node -> hearPredecessor(node, first, shared),
                    failure -> hearFailure(watcher, failure)));
    if (!shared) {
      return armed;
    }
    CompletableFuture<?> unused =
        armed.whenComplete(
            (there, failure) -> {
              if (failure != null) {
                state.wake();
              } else if (!there) {
                onGone();
              }
            });
    return CompletableFuture.completedFuture(true);
  }

  private String path(ChildName.TicketName other) {
    return state.line() + "/" + other.name();
  }

  /**
   * Reads the holder of the lock. Where other tickets of this client are in line, the holder is not
   * read now: a ticket that still waits when it asks again reads it then.
   */
  private void hearPredecessor(
      ZooKeeperConnection.Node node, ChildName.TicketName first, boolean shared) {
    if (predecessor.equals(first)) {
      armed(TicketNodes.holderOf(node));
    } else if (shared) {
      armed(Optional.empty());
    } else {
      ask(TicketNodes.holderAt(connection, path(first)), this::armed);
    }
  }

  private void armed(Optional<Standing.Holder> holder) {
    state.setHolder(holder);
    complete(true);
  }

  private void hearFailure(PathWatcher watcher, Throwable failure) {
    state.stopListening();
    watcher.armingFailed();
    state.suspect();
    if (StoreErrors.code(failure) == Code.NONODE) {
      complete(false);
    } else {
      fail(failure);
    }
  }

  /**
   * Optimisation only: saves a list request when the predecessor goes. Not needed for tickets of
   * this client, which knows when they go.
   */
  private void watchOneFurtherAhead(ChildName.TicketName other) {
    if (other.id().regionMatches(0, ticket.id().encoded(), 0, CLIENT_PART)) {
      return;
    }
    String path = path(other);
    PathWatcher watcher = session.watches().ofNode(path);
    state.alsoListenTo(
        watcher,
        event -> {
          if (event.getType() == EventType.NodeDeleted) {
            state.lineCache().markGone(other.name());
          }
        });
    CompletableFuture<?> unused =
        connection
            .read(path, watcher)
            .whenComplete(
                (node, failure) -> {
                  if (failure != null) {
                    watcher.armingFailed();
                  }
                  if (failure != null && StoreErrors.code(failure) == Code.NONODE) {
                    state.lineCache().markGone(other.name());
                  }
                });
  }

  /** The predecessor is gone. On the connection's own thread. */
  private void onGone() {
    state.lineCache().markGone(predecessor.name());
    if (state.isResized()) {
      // Its token is not that of its join: see SemaphoreEntry.
      state.wake();
    } else if (isMutex() && state.ownNode().isThere() && state.lineCache().isFirst(state.name())) {
      grant();
    } else if (isMutex() || ticket.shape().kind() == Shape.Kind.READ_WRITE) {
      grantIfListShowsIt();
    } else {
      state.wake();
    }
  }

  private void grantIfListShowsIt() {
    CompletableFuture<?> unused =
        connection
            .children(state.line())
            .whenComplete(
                (children, failure) -> {
                  if (failure == null && isGranted(state.lineCache().update(children))) {
                    grant();
                  } else {
                    state.wake();
                  }
                });
  }

  private boolean isGranted(LineSnapshot line) {
    LineSnapshot.View view = line.seenAs(ticket.shape());
    int index = view.indexOf(state.name());
    return index >= 0 && view.isGranted(index) && line.marks().isEmpty();
  }

  /**
   * Reports the grant, after a verb of the ticket that is running. If that changed anything, the
   * ticket is asked to try again.
   */
  private void grant() {
    CompletableFuture<?> unused =
        tickets
            .inTurn(ticket, () -> CompletableFuture.completedFuture(grantIfUnchanged()))
            .whenComplete(
                (granted, failure) -> {
                  if (failure == null && granted.isPresent()) {
                    state.reportGrant(granted.get());
                  } else {
                    state.wake();
                  }
                });
  }

  private Optional<Standing.Granted> grantIfUnchanged() {
    boolean unchanged =
        tickets.isCurrent(state)
            && state.phase() == TicketState.Phase.WAITING
            && !state.ownNode().isGone()
            && session.validity().remaining() > 0;
    if (!unchanged) {
      return Optional.empty();
    }
    tickets.markGranted(state);
    return Optional.of(context.granted(state));
  }
}
