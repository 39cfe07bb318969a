package io.holdfast.zookeeper.verbs;

import io.holdfast.spi.EngineException;
import io.holdfast.zookeeper.connection.Futures;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.session.TicketState;
import io.holdfast.zookeeper.session.TicketTable;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Restarts a line whose places are nearly used up.
 *
 * <p>The store counts the joins of a resource up to 2^31 - 1 and then gives the same place to all
 * later ones (seen with 3.8.0). So well before that, newcomers are turned away until the line is
 * empty. Then its node is removed, and the next ticket gets place 0. Tokens do not depend on
 * places, and continue to rise.
 */
final class PlaceLimit {

  private static final int LAST_PLACE = Integer.MAX_VALUE - 1_000_000;

  private PlaceLimit() {}

  static boolean isReached(int place) {
    return place > LAST_PLACE || place < 0;
  }

  /** Removes the newcomer, and the line's node if no other ticket is left. */
  static CompletableFuture<?> restartLine(TicketTable tickets, TicketState state) {
    ZooKeeperConnection connection = state.session().connection();
    CompletableFuture<Boolean> removed =
        connection
            .deleteIfPresent(state.node())
            .thenCompose(gone -> connection.deleteIfPresent(state.line()));
    return Futures.valueIf(removed, Code.NOTEMPTY, false)
        .thenAccept(
            done -> {
              tickets.remove(state);
              state.session().setKnown(state.line(), false);
            });
  }

  static EngineException refusal(String about) {
    return new EngineException.NotDone(
        about + " has used up its places, and restarts when all tickets have left its line", null);
  }
}
