package io.holdfast.zookeeper.verbs;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.LineSnapshot;
import io.holdfast.zookeeper.layout.Namespaces;
import io.holdfast.zookeeper.layout.ResizeRecords;
import io.holdfast.zookeeper.layout.TicketData;
import io.holdfast.zookeeper.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * Changes the capacity of a semaphore that is in use.
 *
 * <p>A record in the line states the new capacity; its place says for which tickets it counts. That
 * is one step. What follows only removes older records and wakes waiters that watch a ticket ahead
 * of them.
 */
final class Resize extends VerbStep<Boolean> {

  private static final int MAX_TRIES = 20;
  private static final byte[] NOTHING = {};

  private final StoreErrors errors;
  private final Session session;
  private final ZooKeeperConnection connection;
  private final Ticket ticket;
  private final String line;
  private int triesLeft = MAX_TRIES;

  private Resize(VerbContext context, Session session, Ticket ticket) {
    this.errors = context.errors();
    this.session = session;
    this.connection = session.connection();
    this.ticket = ticket;
    this.line = session.namespaces().line(ticket);
  }

  static CompletableFuture<Boolean> start(VerbContext context, Session session, Ticket ticket) {
    Resize resize = new Resize(context, session, ticket);
    return resize.start(resize::begin);
  }

  private void begin() {
    ask(
        session.catchUp(),
        done ->
            ask(connection.childrenOrNone(line), children -> hearLine(LineSnapshot.of(children))));
  }

  private void hearLine(LineSnapshot snapshot) {
    if (snapshot.isEmpty()) {
      complete(false);
    } else if (isSemaphore(snapshot)) {
      record();
    } else {
      refuse(errors.refusals().shape(ticket, snapshot.tickets().get(0).shape()));
    }
  }

  private static boolean isSemaphore(LineSnapshot snapshot) {
    return snapshot.tickets().get(0).shape().kind() == Shape.Kind.SEMAPHORE;
  }

  /** Like a join, the transaction checks that the namespace has the ticket's generation. */
  private void record() {
    ask(session.namespaces().enter(ticket, errors.refusals()), this::record, this::hearFailure);
  }

  private void record(Namespaces.Generation generation) {
    String name = line + "/" + ChildName.ofResize(ticket.shape().capacity());
    ask(
        connection.transaction(
            List.of(
                Op.check(session.namespaces().path(ticket), generation.version()),
                connection.createOp(name, NOTHING, CreateMode.PERSISTENT_SEQUENTIAL))),
        results -> {
          String created = ((OpResult.CreateResult) results.get(1)).getPath();
          ask(
              connection.list(line),
              children -> hearRecorded(created, children),
              this::hearFailure);
        },
        this::hearFailure);
  }

  private void hearFailure(Throwable failure) {
    Code code = StoreErrors.code(failure);
    if (code == Code.NONODE) {
      // The line was removed: the semaphore is not in use.
      complete(false);
    } else if (code == Code.BADVERSION && triesLeft > 0) {
      triesLeft--;
      session.namespaces().forget(ticket);
      record();
    } else {
      fail(failure);
    }
  }

  private void hearRecorded(String record, ZooKeeperConnection.ChildList children) {
    LineSnapshot snapshot = LineSnapshot.of(children.names());
    int place = ((ChildName.Resized) ChildName.parse(record.substring(line.length() + 1))).place();
    boolean inUse =
        !snapshot.isEmpty()
            && LineSnapshot.comparePlaces(snapshot.tickets().get(0).place(), place) < 0;
    if (!inUse) {
      // Tickets that joined since may have seen the record: then it stays until they are gone.
      ask(
          ResizeRecords.sweep(connection, line, children).handle((done, failure) -> false),
          this::complete);
    } else if (!isSemaphore(snapshot)) {
      // A ticket of another kind came first, and one behind it may have seen the record: it stays.
      refuse(errors.refusals().shape(ticket, snapshot.tickets().get(0).shape()));
    } else {
      ask(signalAll(snapshot), done -> complete(true), this::hearFailure);
    }
  }

  private CompletableFuture<?> signalAll(LineSnapshot snapshot) {
    List<CompletableFuture<?>> all = new ArrayList<>();
    all.add(ResizeRecords.removeReplaced(connection, line, snapshot));
    for (ChildName.TicketName each : snapshot.tickets()) {
      all.add(touch(line + "/" + each.name()));
    }
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
  }

  /** Writes a node with the same meaning, so that its watchers are notified. */
  private CompletableFuture<Boolean> touch(String path) {
    return connection
        .read(path)
        .thenCompose(
            node -> connection.setData(path, TicketData.rewrite(node), node.stat().getVersion()))
        .handle((stat, failure) -> failure == null);
  }
}
