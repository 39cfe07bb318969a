package io.holdfast.zookeeper.layout;

import io.holdfast.spi.EngineException;
import io.holdfast.zookeeper.connection.StoreErrors.EngineFailure;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Lists the names of a namespace, unless the reply would be too large.
 *
 * <p>All names come in one reply. A reply that is larger than the client accepts costs it the
 * connection, and so everything on its session.
 */
public final class NamespaceListing {

  /**
   * The estimated size of one name in a reply, which takes four bytes more than the name. Only the
   * number of names is known before the request.
   */
  private static final int NAME_BYTES = 64;

  private NamespaceListing() {}

  /** Returns all children of a namespace's node; refused if they are too many for this client. */
  public static CompletableFuture<List<String>> of(
      ZooKeeperConnection connection, String namespace) {
    return connection
        .stat(namespace)
        .thenCompose(
            stat -> {
              long names = stat.isPresent() ? stat.get().getNumChildren() : 0;
              return names * NAME_BYTES > connection.maxReplyBytes()
                  ? CompletableFuture.failedFuture(tooMany(connection, namespace, names))
                  : connection.children(namespace);
            });
  }

  private static EngineFailure tooMany(
      ZooKeeperConnection connection, String namespace, long names) {
    return new EngineFailure(
        new EngineException.Refused(
            namespace
                + " has "
                + names
                + " names, too many for one reply to this client, which accepts "
                + connection.maxReplyBytes()
                + " bytes: raise its jute.maxbuffer"));
  }
}
