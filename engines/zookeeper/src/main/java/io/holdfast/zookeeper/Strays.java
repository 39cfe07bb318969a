package io.holdfast.zookeeper;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Nodes of a ticket that it does not know as its own: a join that was not answered came late, or is
 * of a session that is over. Nobody was told that they are in, and nobody else would take them out:
 * the ticket would wait for itself.
 */
final class Strays {

  private Strays() {}

  /** Those that this list shows; none where no join was ever in doubt. */
  static List<Child.Seat> of(Spot spot, Roll roll) {
    return spot.doubtful
        ? roll.of(spot.id.encoded()).stream()
            .filter(seat -> !seat.name().equals(spot.name))
            .toList()
        : List.of();
  }

  /** Answered when they are gone. */
  static CompletableFuture<Boolean> remove(Spot spot, List<Child.Seat> strays) {
    CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
    for (Child.Seat stray : strays) {
      CompletableFuture<Boolean> one = spot.session.wire().remove(spot.line + "/" + stray.name());
      all = all.thenCombine(one, (before, gone) -> true);
    }
    return all;
  }
}
