package io.holdfast.zookeeper;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The verb resize: a record in the line, whose place says for whom it counts. That is one step;
 * what follows only cleans up and wakes those that watch somebody ahead of them.
 */
final class Resizes {

  private static final byte[] NOTHING = {};

  private final Words words;

  Resizes(Words words) {
    this.words = words;
  }

  CompletableFuture<Boolean> resize(Session session, Ticket ticket) {
    Shape shape = ticket.shape();
    if (shape.kind() != Shape.Kind.SEMAPHORE || shape.capacity() == Shape.ADOPT) {
      return CompletableFuture.failedFuture(new Words.Told(words.refusals().resize(ticket)));
    }
    String line = session.namespaces().line(ticket);
    return session
        .wire()
        .children(line, null)
        .thenCompose(
            children ->
                Roll.of(children).seats().isEmpty()
                    ? CompletableFuture.completedFuture(false)
                    : record(session, ticket, line))
        .exceptionallyCompose(
            failure ->
                Words.code(failure) == Code.NONODE
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Boolean> record(Session session, Ticket ticket, String line) {
    Wire wire = session.wire();
    String name = line + "/" + Child.resized(ticket.shape().capacity());
    return wire.create(name, NOTHING, CreateMode.PERSISTENT_SEQUENTIAL)
        .thenCompose(
            made ->
                wire.children(line, null)
                    .thenCompose(
                        children -> judge(session, ticket, line, made.path(), Roll.of(children))));
  }

  private CompletableFuture<Boolean> judge(
      Session session, Ticket ticket, String line, String record, Roll roll) {
    Wire wire = session.wire();
    int place = ((Child.Resized) Child.of(record.substring(line.length() + 1))).place();
    boolean anyone = !roll.seats().isEmpty() && Roll.order(roll.seats().get(0).place(), place) < 0;
    if (!anyone) {
      // Those that came since may have seen it: then it stays until they are gone.
      return roll.seats().isEmpty()
          ? wire.remove(record).thenApply(gone -> false)
          : CompletableFuture.completedFuture(false);
    }
    Shape first = roll.seats().get(0).shape();
    if (first.kind() != Shape.Kind.SEMAPHORE) {
      return wire.remove(record)
          .thenCompose(
              gone ->
                  CompletableFuture.failedFuture(
                      new Words.Told(words.refusals().shape(ticket, first))));
    }
    List<CompletableFuture<?>> rest = new ArrayList<>();
    for (Child.Resized old : roll.oldResizes()) {
      rest.add(wire.remove(line + "/" + old.name()));
    }
    for (Child.Seat seat : roll.seats()) {
      rest.add(touch(wire, line + "/" + seat.name()));
    }
    return CompletableFuture.allOf(rest.toArray(new CompletableFuture<?>[0]))
        .thenApply(done -> true);
  }

  /** Those behind it are told that something has changed; what is in it stays. */
  private static CompletableFuture<Boolean> touch(Wire wire, String path) {
    return wire.data(path, null)
        .thenCompose(node -> wire.setData(path, SeatData.again(node), node.stat().getVersion()))
        .handle((stat, failure) -> failure == null);
  }
}
