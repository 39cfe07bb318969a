package io.holdfast.zookeeper;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/** How a ticket of a semaphore gets in, whose size may change around it. */
final class Permits {

  /*
   * A ticket gets in if its own weight, all that is ahead of it, and those behind it that are in
   * already fit. As long as nobody resizes, the last are no question: whoever is behind it and in
   * has counted it. After a resize they are: they may have got in when there was more room.
   *
   * So whoever gets in with somebody ahead of it writes that down in its own node before it is told
   * so. That write names the version of the node that was known before the list that it was judged
   * by. Who is judged while a resize is in the list reads the nodes behind it of those that joined
   * before the resize. Who is in, counts. Who is not, and was not written to since the resize, is
   * written to, with what it says already: if it was judged by a list from before the resize, its
   * own write names a version that is no more, and it looks anew. Who was written to since knows a
   * version that is younger than the resize, and so is the list that it is judged by; it counts all
   * ahead of it. Those that joined after the resize have seen it as well. Nobody has to finish what
   * another one began, and what a ticket wrote goes with its node.
   *
   * Who is first in line needs to write nothing: its entry matters to nobody ahead of it.
   *
   * Tokens: after a resize somebody may get in after one that joined later, and be alone then. So
   * while a resize is in the list, the token is the number of the write, which is later than all
   * entries before. Resizes stay until the line is empty: a ticket that joined before such a write
   * must not go by its join, nor one of another kind, which is in when it finds itself first. Who
   * writes to such a node later states that number in it.
   */

  /** What came of it. */
  sealed interface Entry {

    /** It is in. */
    record In() implements Entry {}

    /** One that is behind it and in is in the way. */
    record Blocked(Child.Seat by) implements Entry {}

    /** Something has changed: it must look anew. */
    record Changed() implements Entry {}
  }

  /** One behind, as its node says it. */
  private record Behind(Child.Seat seat, int weight, Wire.Node node) {
    Entered entered() {
      return SeatData.read(node.data()).entered();
    }
  }

  private final Words words;

  Permits(Words words) {
    this.words = words;
  }

  /**
   * Reads the ticket's own node, whose version is not known; answers whether it says that it is in.
   */
  CompletableFuture<Boolean> isIn(Ticket ticket, Spot spot) {
    return Passing.then(
        spot.session.wire().data(spot.node(), null),
        node -> {
          spot.version = node.stat().getVersion();
          Entered entered = SeatData.read(node.data()).entered();
          if (entered.isIn()) {
            entered(ticket, spot, entered, entered.number(node.stat()));
          }
          return CompletableFuture.completedFuture(entered.isIn());
        },
        failure ->
            // Deleted: the list will tell.
            Words.code(failure) == Code.NONODE
                ? CompletableFuture.completedFuture(false)
                : CompletableFuture.failedFuture(failure));
  }

  /**
   * Lets a ticket in that fits with all that is ahead of it, if it does with those behind.
   *
   * @param roll shows a resize, if the ticket is of another kind
   */
  CompletableFuture<Entry> enter(Ticket ticket, Spot spot, Roll roll, Roll.View view, int index) {
    Optional<Child.Resized> resize = roll.lastResize();
    if (ticket.shape().kind() != Shape.Kind.SEMAPHORE) {
      return record(ticket, spot, Entered.WITH_THIS);
    }
    if (resize.isEmpty()) {
      return index == 0
          ? CompletableFuture.completedFuture(new Entry.In())
          : record(ticket, spot, Entered.WITH_JOIN);
    }
    List<Integer> behind = view.behind(index, resize.get().place());
    long all = view.taken(index) + behind.stream().mapToLong(view.weights()::get).sum();
    if (all <= view.capacity()) {
      return record(ticket, spot, Entered.WITH_THIS);
    }
    Wire wire = spot.session.wire();
    return wire.exists(spot.line + "/" + resize.get().name())
        .thenCompose(
            stat ->
                stat.isEmpty()
                    ? CompletableFuture.completedFuture(new Entry.Changed())
                    : read(spot, view, behind)
                        .thenCompose(
                            those ->
                                enter(ticket, spot, view, index, those, stat.get().getCzxid())));
  }

  private CompletableFuture<Entry> enter(
      Ticket ticket, Spot spot, Roll.View view, int index, List<Behind> behind, long resizedAt) {
    List<Behind> in = behind.stream().filter(one -> one.entered().isIn()).toList();
    long taken = view.taken(index) + in.stream().mapToLong(Behind::weight).sum();
    if (taken > view.capacity()) {
      return CompletableFuture.completedFuture(new Entry.Blocked(in.get(0).seat));
    }
    CompletableFuture<Boolean> touched = CompletableFuture.completedFuture(true);
    for (Behind one : behind) {
      if (!one.entered().isIn() && one.node.stat().getMzxid() < resizedAt) {
        touched = touched.thenCombine(touch(spot, one), (a, b) -> a && b);
      }
    }
    return touched.thenCompose(
        all ->
            all
                ? record(ticket, spot, Entered.WITH_THIS)
                : CompletableFuture.completedFuture(new Entry.Changed()));
  }

  /** Those that are still there. */
  private static CompletableFuture<List<Behind>> read(
      Spot spot, Roll.View view, List<Integer> behind) {
    List<CompletableFuture<Optional<Behind>>> all = new ArrayList<>();
    for (int i : behind) {
      Child.Seat seat = view.seats().get(i);
      all.add(
          spot.session
              .wire()
              .data(spot.line + "/" + seat.name(), null)
              .thenApply(node -> Optional.of(new Behind(seat, view.weights().get(i), node)))
              .exceptionallyCompose(
                  failure ->
                      Words.code(failure) == Code.NONODE
                          ? CompletableFuture.completedFuture(Optional.empty())
                          : CompletableFuture.failedFuture(failure)));
    }
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
        .thenApply(
            done -> all.stream().map(CompletableFuture::join).flatMap(Optional::stream).toList());
  }

  /** Answers whether it is as it was read, or gone. */
  private static CompletableFuture<Boolean> touch(Spot spot, Behind one) {
    return Passing.then(
        spot.session
            .wire()
            .setData(
                spot.line + "/" + one.seat.name(), one.node.data(), one.node.stat().getVersion()),
        stat -> CompletableFuture.completedFuture(true),
        failure -> {
          Code code = Words.code(failure);
          return code == Code.NONODE || code == Code.BADVERSION
              ? CompletableFuture.completedFuture(code == Code.NONODE)
              : CompletableFuture.failedFuture(failure);
        });
  }

  private CompletableFuture<Entry> record(Ticket ticket, Spot spot, Entered how) {
    int known = spot.version;
    // Until it is answered: then the node tells.
    spot.version = Spot.UNKNOWN;
    return Passing.then(
        spot.session.wire().setData(spot.node(), SeatData.write(ticket, how), known),
        stat -> {
          spot.version = stat.getVersion();
          if (how.equals(Entered.WITH_THIS)) {
            entered(ticket, spot, how, stat.getMzxid());
          } else {
            spot.entered = how;
          }
          return CompletableFuture.completedFuture(new Entry.In());
        },
        failure -> {
          Code code = Words.code(failure);
          return code == Code.NONODE || code == Code.BADVERSION
              ? CompletableFuture.completedFuture(new Entry.Changed())
              : CompletableFuture.failedFuture(failure);
        });
  }

  /** From now on the number is stated, whoever writes to the node. */
  private void entered(Ticket ticket, Spot spot, Entered how, long number) {
    spot.token = words.token(ticket, number);
    spot.entered = how.equals(Entered.WITH_THIS) ? Entered.at(number) : how;
  }
}
