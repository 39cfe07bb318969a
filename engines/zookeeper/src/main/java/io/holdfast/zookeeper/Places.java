package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The end of a line's places. The store counts the joins of a resource up to 2^31 - 1 and then
 * stands still: it gives the same place to all that come (seen with 3.8.0). So some time before,
 * newcomers are sent away until the line is empty. Then its node is removed, and the next one
 * begins at 0. Tokens are not counted by places, and go on rising.
 */
final class Places {

  private static final int LAST = Integer.MAX_VALUE - 1_000_000;

  private Places() {}

  static boolean areUsedUp(int place) {
    return place > LAST || place < 0;
  }

  /** Takes the newcomer out, and the line's node if it was the last. */
  static CompletableFuture<Standing> beginAnew(Spot spot, Books books, String about) {
    Wire wire = spot.session.wire();
    EngineException later =
        new EngineException.NotDone(
            about + " has used up its places, and begins anew when all in line have left", null);
    return wire.remove(spot.node())
        .thenCompose(gone -> wire.remove(spot.line))
        .exceptionallyCompose(
            failure ->
                Words.code(failure) == Code.NOTEMPTY
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure))
        .thenCompose(
            done -> {
              books.remove(spot);
              spot.session.know(spot.line, false);
              return CompletableFuture.failedFuture(new Words.Told(later));
            });
  }
}
