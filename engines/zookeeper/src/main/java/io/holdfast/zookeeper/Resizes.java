package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * The verb resize: a record in the line, whose place says for whom it counts. That is one step;
 * what follows only cleans up and wakes those that watch somebody ahead of them.
 */
final class Resizes {

  private static final int TRIES = 20;
  private static final byte[] NOTHING = {};

  private final Words words;
  private final Books books;

  Resizes(Words words, Books books) {
    this.words = words;
    this.books = books;
  }

  CompletableFuture<Boolean> resize(Session session, Ticket ticket) {
    Shape shape = ticket.shape();
    if (shape.kind() != Shape.Kind.SEMAPHORE || shape.capacity() == Shape.ADOPT) {
      return refuse(words.refusals().resize(ticket));
    }
    String line = session.namespaces().line(ticket);
    return session
        .catchUp(books::now)
        .thenCompose(done -> session.wire().children(line, null))
        .thenCompose(
            children -> {
              Roll roll = Roll.of(children);
              if (roll.seats().isEmpty()) {
                return CompletableFuture.completedFuture(false);
              }
              Shape first = roll.seats().get(0).shape();
              return first.kind() == Shape.Kind.SEMAPHORE
                  ? record(session, ticket, line, TRIES)
                  : refuse(words.refusals().shape(ticket, first));
            })
        .exceptionallyCompose(
            failure ->
                Words.code(failure) == Code.NONODE
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }

  private static CompletableFuture<Boolean> refuse(EngineException why) {
    return CompletableFuture.failedFuture(new Words.Told(why));
  }

  /** As with a join, the namespace is of the ticket's generation, in the same transaction. */
  private CompletableFuture<Boolean> record(
      Session session, Ticket ticket, String line, int tries) {
    Wire wire = session.wire();
    String name = line + "/" + Child.resized(ticket.shape().capacity());
    return session
        .namespaces()
        .enter(ticket, words.refusals())
        .thenCompose(
            age ->
                wire.multi(
                    List.of(
                        Op.check(session.namespaces().path(ticket), age.version()),
                        wire.creates(name, NOTHING, CreateMode.PERSISTENT_SEQUENTIAL))))
        .thenApply(results -> ((OpResult.CreateResult) results.get(1)).getPath())
        .thenCompose(
            made ->
                wire.listed(line, null)
                    .thenCompose(listed -> judge(session, ticket, line, made, listed)))
        .exceptionallyCompose(
            failure -> {
              if (Words.code(failure) != Code.BADVERSION || tries == 0) {
                return CompletableFuture.failedFuture(failure);
              }
              session.namespaces().forget(ticket);
              return record(session, ticket, line, tries - 1);
            });
  }

  private CompletableFuture<Boolean> judge(
      Session session, Ticket ticket, String line, String record, Wire.Listed listed) {
    Wire wire = session.wire();
    Roll roll = Roll.of(listed.names());
    int place = ((Child.Resized) Child.of(record.substring(line.length() + 1))).place();
    boolean anyone = !roll.seats().isEmpty() && Roll.order(roll.seats().get(0).place(), place) < 0;
    if (!anyone) {
      // Those that came since may have seen it: then it stays until they are gone.
      return SizeRecords.sweep(wire, line, listed).handle((done, failure) -> false);
    }
    Shape first = roll.seats().get(0).shape();
    if (first.kind() != Shape.Kind.SEMAPHORE) {
      // It came between, and so may one behind it that has seen the record: it stays likewise.
      return refuse(words.refusals().shape(ticket, first));
    }
    List<CompletableFuture<?>> rest = new ArrayList<>();
    rest.add(SizeRecords.removeOld(wire, line, roll));
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
