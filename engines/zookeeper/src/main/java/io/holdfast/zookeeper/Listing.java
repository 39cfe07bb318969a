package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The names of a namespace. They come in one answer, and one that is longer than the client takes
 * costs it the connection, and so everybody on its session: what would be too long is not asked
 * for.
 */
final class Listing {

  /**
   * What a name takes of an answer: four bytes and itself. A guess, as only their number is known.
   */
  private static final int NAME_BYTES = 64;

  private Listing() {}

  /** All children of that node; refused if they are too many for this client. */
  static CompletableFuture<List<String>> of(Wire wire, String namespace) {
    return wire.exists(namespace)
        .thenCompose(
            stat -> {
              long names = stat.isPresent() ? stat.get().getNumChildren() : 0;
              return names * NAME_BYTES > wire.mostBytes()
                  ? CompletableFuture.failedFuture(tooMany(wire, namespace, names))
                  : wire.children(namespace, null);
            });
  }

  private static Words.Told tooMany(Wire wire, String namespace, long names) {
    return new Words.Told(
        new EngineException.Refused(
            namespace
                + " has "
                + names
                + " names, too many for one answer to this client, which takes "
                + wire.mostBytes()
                + " bytes: raise its jute.maxbuffer"));
  }
}
