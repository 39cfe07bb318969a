package io.holdfast.zookeeper;

import io.holdfast.spi.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/** How a ticket that is in comes to weigh less. */
final class Shrinks {

  private static final byte[] NOTHING = {};

  private Shrinks() {}

  /** A record beside the node says what it weighs; the node is touched, for those who watch it. */
  static CompletableFuture<Boolean> shrink(Ticket ticket, Spot spot) {
    Wire wire = spot.session.wire();
    String record = spot.line + "/" + Child.shrunk(ticket.weight(), spot.place);
    List<Op> steps = new ArrayList<>();
    if (spot.shrunk != null) {
      steps.add(Op.delete(spot.shrunk, -1));
    }
    steps.add(wire.creates(record, NOTHING, CreateMode.EPHEMERAL));
    steps.add(Op.setData(spot.node(), SeatData.write(ticket, spot.entered), -1));
    return Passing.then(
        wire.multi(steps),
        results -> CompletableFuture.completedFuture(done(ticket, spot, record)),
        failure ->
            // There already: the answer to an earlier request got lost.
            Words.code(failure) == Code.NODEEXISTS
                ? CompletableFuture.completedFuture(done(ticket, spot, record))
                : CompletableFuture.failedFuture(failure));
  }

  private static boolean done(Ticket ticket, Spot spot, String record) {
    spot.weight = ticket.weight();
    spot.shrunk = record;
    return true;
  }
}
