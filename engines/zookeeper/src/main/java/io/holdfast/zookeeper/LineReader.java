package io.holdfast.zookeeper;

import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.zookeeper.KeeperException.Code;

/** Reads whole lines, for people. */
final class LineReader {

  /** A ticket that is in, and its node. */
  record Holder(Child.Seat seat, long token, boolean revoked, Wire.Node node) {}

  /** A ticket with what is in its node. */
  private record Read(Child.Seat seat, Wire.Node node) {}

  private final Layout layout;
  private final Marks marks;
  private final LongSupplier nanoTime;

  LineReader(Layout layout, Marks marks, LongSupplier nanoTime) {
    this.layout = layout;
    this.marks = marks;
    this.nanoTime = nanoTime;
  }

  /** The line, if anybody stands in it or a mark is on it. */
  CompletableFuture<Optional<LineView>> read(Session session, Resource resource) {
    String line = layout.line(resource);
    return roll(session, line)
        .thenCompose(
            roll ->
                tickets(session, line, roll.seats())
                    .thenCombine(
                        marks.left(
                            session, line, roll.marks(), session.storeMillis(nanoTime.getAsLong())),
                        (tickets, mark) -> view(session, resource, roll, tickets, mark)));
  }

  private CompletableFuture<Roll> roll(Session session, String line) {
    return session
        .catchUp(nanoTime)
        .thenCompose(done -> session.wire().children(line, null))
        .exceptionallyCompose(
            failure ->
                Words.code(failure) == Code.NONODE
                    ? CompletableFuture.completedFuture(List.of())
                    : CompletableFuture.failedFuture(failure))
        .thenApply(Roll::of);
  }

  /** Those that are still there when their nodes are read. */
  private static CompletableFuture<List<Read>> tickets(
      Session session, String line, List<Child.Seat> seats) {
    List<CompletableFuture<Optional<Read>>> all = new ArrayList<>();
    for (Child.Seat seat : seats) {
      all.add(
          session
              .wire()
              .data(line + "/" + seat.name(), null)
              .thenApply(node -> Optional.of(new Read(seat, node)))
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

  private Optional<LineView> view(
      Session session, Resource resource, Roll roll, List<Read> tickets, Optional<Duration> mark) {
    if (tickets.isEmpty() && mark.isEmpty()) {
      return Optional.empty();
    }
    Shape shape = roll.shape().orElse(Shape.once());
    Roll.View line = roll.as(shape);
    List<TicketView> views = new ArrayList<>();
    long now = session.storeMillis(nanoTime.getAsLong());
    for (Read read : tickets) {
      int index = line.indexOf(read.seat.name());
      if (index >= 0) {
        boolean in = isIn(read, roll, line, index);
        views.add(ticket(read, roll, in, roll.weight(read.seat), now));
      }
    }
    return Optional.of(new LineView(resource, shape, views, mark));
  }

  /**
   * By the places, unless the line was resized: then those that have somebody ahead of them say it
   * themselves.
   */
  private static boolean isIn(Read read, Roll roll, Roll.View line, int index) {
    boolean says = SeatData.read(read.node.data()).entered().isIn();
    return says || (line.isIn(index) && (index == 0 || roll.lastResize().isEmpty()));
  }

  private static TicketView ticket(Read read, Roll roll, boolean in, int weight, long now) {
    SeatData data = SeatData.read(read.node.data());
    TicketView.State state =
        !in
            ? TicketView.State.WAITING
            : roll.revoked(read.seat.place()).isPresent()
                ? TicketView.State.REVOKED
                : TicketView.State.HOLDING;
    return new TicketView(
        state,
        data.owner(),
        in ? token(read) : 0,
        weight,
        Duration.ofMillis(Math.max(0, now - read.node.stat().getCtime())),
        data.lease());
  }

  private static long token(Read read) {
    SeatData data = SeatData.read(read.node.data());
    return Token.of(data.generation(), data.entered().number(read.node.stat()));
  }

  /** Those that are in. */
  CompletableFuture<List<Holder>> holders(Session session, Resource resource) {
    String line = layout.line(resource);
    return roll(session, line)
        .thenCompose(
            roll -> {
              Roll.View view = roll.as(roll.shape().orElse(Shape.once()));
              boolean resized = roll.lastResize().isPresent();
              int most = resized ? view.seats().size() : view.in();
              return tickets(session, line, view.seats().subList(0, most))
                  .thenApply(
                      reads ->
                          reads.stream()
                              .filter(
                                  read -> isIn(read, roll, view, view.indexOf(read.seat.name())))
                              .map(
                                  read ->
                                      new Holder(
                                          read.seat,
                                          token(read),
                                          roll.revoked(read.seat.place()).isPresent(),
                                          read.node))
                              .toList());
            });
  }
}
