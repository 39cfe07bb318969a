package io.holdfast.zookeeper.verbs;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.connection.Futures;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.LineSnapshot;
import io.holdfast.zookeeper.layout.RecordedGrant;
import io.holdfast.zookeeper.layout.TicketData;
import io.holdfast.zookeeper.layout.TicketNodes;
import io.holdfast.zookeeper.layout.TicketNodes.TicketNode;
import io.holdfast.zookeeper.session.TicketState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/** Grants a ticket of a semaphore, whose capacity may change at any time. */
final class SemaphoreEntry extends VerbStep<SemaphoreEntry.Outcome> {

  /*
   * A ticket is granted if its own weight, the weights ahead of it, and those behind it that are
   * granted already fit. Without a resize the last ones need no check: a granted ticket behind it
   * has counted it. After a resize they do: they may have been granted when there was more room.
   *
   * So a ticket that is granted with others ahead of it records that in its own node before the
   * grant is reported. That write names the version of the node that was known before the list by
   * which it was judged. A ticket that is judged while a resize is in the list reads the nodes
   * behind it of the tickets that joined before the resize. Granted tickets count. A ticket that is
   * not granted, and was not written to since the resize, is written to, with unchanged contents:
   * if it was judged by a list from before the resize, its own write names an outdated version, and
   * it looks again. A ticket that was written to since knows a version that is younger than the resize,
   * and so is the list by which it is judged; it counts all tickets ahead of it. Tickets that
   * joined after the resize have seen it as well. No ticket has to finish what another one began,
   * and what a ticket wrote goes with its node.
   *
   * The first ticket in line need not write: its grant does not matter to a ticket ahead of it.
   *
   * Tokens: after a resize a ticket may be granted after a ticket that joined later, and be alone then.
   * So while a resize is in the list, the token is the id of the write, which is later than all
   * earlier grants. Resizes stay until the line is empty: a ticket that joined before such a write
   * must not take the token of its join, nor must one of another kind, which is granted when it
   * finds itself first. A client that writes to such a node later states that id in it.
   */

  /** Whether the ticket is granted. */
  sealed interface Outcome {

    /** It is granted. */
    record Entered() implements Outcome {}

    /** A granted ticket behind it is in the way. */
    record Blocked(ChildName.TicketName by) implements Outcome {}

    /** Something has changed: it must look again. */
    record Changed() implements Outcome {}
  }

  private final StoreErrors errors;
  private final Ticket ticket;
  private final TicketState state;
  private final ZooKeeperConnection connection;

  SemaphoreEntry(StoreErrors errors, Ticket ticket, TicketState state) {
    this.errors = errors;
    this.ticket = ticket;
    this.state = state;
    this.connection = state.session().connection();
  }

  /** Reads the ticket's own node to learn its version; returns whether it records a grant. */
  CompletableFuture<Boolean> readOwnNode() {
    CompletableFuture<Boolean> read =
        connection
            .read(state.node())
            .thenApply(
                node -> {
                  state.setVersion(node.stat().getVersion());
                  RecordedGrant grant = TicketData.parse(node.data()).grant();
                  if (grant.isGranted()) {
                    setGrant(grant, grant.zxid(node.stat()));
                  }
                  return grant.isGranted();
                });
    // A deleted node is noticed by the list that follows.
    return Futures.valueIf(read, Code.NONODE, false);
  }

  /**
   * Grants a ticket that fits with the tickets ahead of it, if it fits with those behind it too.
   *
   * @param line shows a resize, if the ticket is not one of a semaphore
   */
  CompletableFuture<Outcome> enter(LineSnapshot line, LineSnapshot.View view, int index) {
    return start(() -> decide(line, view, index));
  }

  private void decide(LineSnapshot line, LineSnapshot.View view, int index) {
    Optional<ChildName.Resized> resize = line.lastResize();
    if (ticket.shape().kind() != Shape.Kind.SEMAPHORE) {
      record(RecordedGrant.BY_THIS_WRITE);
    } else if (resize.isEmpty()) {
      if (index == 0) {
        complete(new Outcome.Entered());
      } else {
        record(RecordedGrant.BY_JOIN);
      }
    } else {
      decideAfterResize(resize.get(), view, index);
    }
  }

  private void decideAfterResize(ChildName.Resized resize, LineSnapshot.View view, int index) {
    List<Integer> behind = view.behind(index, resize.place());
    long all = view.weightUpTo(index) + behind.stream().mapToLong(view.weights()::get).sum();
    if (all <= view.capacity()) {
      record(RecordedGrant.BY_THIS_WRITE);
      return;
    }
    ask(
        connection.stat(state.line() + "/" + resize.name()),
        stat -> {
          if (stat.isEmpty()) {
            complete(new Outcome.Changed());
            return;
          }
          ask(
              TicketNodes.read(
                  connection, state.line(), behind.stream().map(view.tickets()::get).toList()),
              nodes -> countGranted(view, index, nodes, stat.get().getCzxid()));
        });
  }

  private void countGranted(
      LineSnapshot.View view, int index, List<TicketNode> behind, long resizedAt) {
    List<TicketNode> granted = behind.stream().filter(each -> each.grant().isGranted()).toList();
    long taken =
        view.weightUpTo(index)
            + granted.stream().mapToLong(each -> weight(view, each.ticket())).sum();
    if (taken > view.capacity()) {
      complete(new Outcome.Blocked(granted.get(0).ticket()));
      return;
    }
    List<CompletableFuture<Boolean>> unchanged = new ArrayList<>();
    for (TicketNode each : behind) {
      if (!each.grant().isGranted() && each.node().stat().getMzxid() < resizedAt) {
        unchanged.add(touch(each));
      }
    }
    ask(
        Futures.all(unchanged),
        all -> {
          if (all.contains(false)) {
            complete(new Outcome.Changed());
          } else {
            record(RecordedGrant.BY_THIS_WRITE);
          }
        });
  }

  private static long weight(LineSnapshot.View view, ChildName.TicketName ticket) {
    return view.weights().get(view.indexOf(ticket.name()));
  }

  /** Writes a node with unchanged contents; returns whether it is as it was read, or gone. */
  private CompletableFuture<Boolean> touch(TicketNode other) {
    CompletableFuture<Boolean> written =
        connection
            .setData(
                state.line() + "/" + other.ticket().name(),
                other.node().data(),
                other.node().stat().getVersion())
            .thenApply(stat -> true);
    return Futures.valueIf(Futures.valueIf(written, Code.NONODE, true), Code.BADVERSION, false);
  }

  private void record(RecordedGrant grant) {
    int known = state.version();
    // Until the reply arrives; if it does not, the node is read.
    state.setVersion(TicketState.UNKNOWN_VERSION);
    ask(
        connection.setData(state.node(), TicketData.write(ticket, grant), known),
        stat -> {
          state.setVersion(stat.getVersion());
          if (grant.equals(RecordedGrant.BY_THIS_WRITE)) {
            setGrant(grant, stat.getMzxid());
          } else {
            state.setRecordedGrant(grant);
          }
          complete(new Outcome.Entered());
        },
        failure -> {
          Code code = StoreErrors.code(failure);
          if (code == Code.NONODE || code == Code.BADVERSION) {
            complete(new Outcome.Changed());
          } else {
            fail(failure);
          }
        });
  }

  /** From now on every write to the node states the id of this transaction. */
  private void setGrant(RecordedGrant grant, long zxid) {
    state.setToken(errors.token(ticket, zxid));
    state.setRecordedGrant(
        grant.equals(RecordedGrant.BY_THIS_WRITE) ? RecordedGrant.at(zxid) : grant);
  }
}
