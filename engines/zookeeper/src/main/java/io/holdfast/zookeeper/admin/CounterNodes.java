package io.holdfast.zookeeper.admin;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.Resource;
import io.holdfast.spi.SwapCounter.Cell;
import io.holdfast.spi.SwapCounter.Cells;
import io.holdfast.spi.SwapCounter.Swapped;
import io.holdfast.zookeeper.connection.Futures;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.session.Sessions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Stores counters: one persistent node each, with the next number as its data.
 *
 * <p>A write compares the node's version. Counters use the client's session, but do not live on it.
 */
public final class CounterNodes implements Cells {

  private static final byte[] NOTHING = {};

  /** The version that stands for a missing node. */
  private static final long NONE = -1;

  /** The version before -1, which stands for any version. */
  private static final int BEFORE_ANY = -2;

  private static final int ANY = -1;

  private final Sessions sessions;
  private final Paths paths;
  private final StoreErrors errors;
  private final long timeoutNanos;

  public CounterNodes(Sessions sessions, Paths paths, StoreErrors errors, Settings settings) {
    this.sessions = sessions;
    this.paths = paths;
    this.errors = errors;
    this.timeoutNanos = settings.operationTimeout().toNanos();
  }

  @Override
  public Cell look(Resource name) throws EngineException {
    return get(read(sessions.require().connection(), paths.counter(name)), name);
  }

  private static CompletableFuture<Cell> read(ZooKeeperConnection connection, String path) {
    return Futures.then(
        connection.read(path),
        node ->
            CompletableFuture.completedFuture(
                new Cell(
                    new String(node.data(), StandardCharsets.UTF_8), node.stat().getVersion())),
        failure ->
            StoreErrors.code(failure) == Code.NONODE
                ? CompletableFuture.completedFuture(new Cell("", NONE))
                : CompletableFuture.failedFuture(failure));
  }

  @Override
  public Swapped swap(Resource name, Cell seen, String text) throws EngineException {
    ZooKeeperConnection connection = sessions.require().connection();
    String path = paths.counter(name);
    byte[] data = text.getBytes(StandardCharsets.US_ASCII);
    CompletableFuture<Cell> written =
        seen.mark() == NONE
            ? create(connection, path, data).thenApply(stat -> new Cell(text, stat.getVersion()))
            : set(connection, path, data, (int) seen.mark())
                .thenApply(stat -> new Cell(text, stat.getVersion()));
    // Right behind the write, so that a client that is overtaken learns in the same trip what is
    // stored. With another trip it would never be as quick as the client that has just written.
    CompletableFuture<Cell> after = read(connection, path);
    return get(
        Futures.then(
            written,
            cell -> CompletableFuture.completedFuture(new Swapped(true, cell)),
            failure ->
                isOvertaken(StoreErrors.code(failure))
                    ? after.thenApply(cell -> new Swapped(false, cell))
                    : CompletableFuture.failedFuture(failure)),
        name);
  }

  private static boolean isOvertaken(@Nullable Code code) {
    return code == Code.BADVERSION || code == Code.NODEEXISTS || code == Code.NONODE;
  }

  /**
   * Writes to an existing node. The version that stands for any version is skipped in the same
   * transaction, because no client could compare with it.
   */
  private static CompletableFuture<Stat> set(
      ZooKeeperConnection connection, String path, byte[] data, int version) {
    if (version != BEFORE_ANY) {
      return connection.setData(path, data, version);
    }
    List<Op> steps = List.of(Op.setData(path, data, BEFORE_ANY), Op.setData(path, data, ANY));
    return connection
        .transaction(steps)
        .thenApply(results -> ((OpResult.SetDataResult) results.get(1)).getStat());
  }

  /** Creates the node, after its parents if they are missing. */
  private static CompletableFuture<Stat> create(
      ZooKeeperConnection connection, String path, byte[] data) {
    return Futures.then(
        connection.create(path, data, CreateMode.PERSISTENT),
        created -> CompletableFuture.completedFuture(created.stat()),
        failure -> {
          if (StoreErrors.code(failure) != Code.NONODE) {
            return CompletableFuture.failedFuture(failure);
          }
          String namespace = path.substring(0, path.lastIndexOf('/'));
          String all = namespace.substring(0, namespace.lastIndexOf('/'));
          return createIfMissing(connection, all)
              .thenCompose(done -> createIfMissing(connection, namespace))
              .thenCompose(done -> connection.create(path, data, CreateMode.PERSISTENT))
              .thenApply(ZooKeeperConnection.Created::stat);
        });
  }

  private static CompletableFuture<Boolean> createIfMissing(
      ZooKeeperConnection connection, String path) {
    return Futures.valueIf(
        connection.create(path, NOTHING, CreateMode.PERSISTENT).thenApply(created -> true),
        Code.NODEEXISTS,
        true);
  }

  /** Returns the leader's clock at the last confirmed heartbeat, plus the time since then. */
  @Override
  public long epochMicros() throws EngineException {
    return sessions.require().storeMillis() * 1000;
  }

  private <T> T get(CompletableFuture<T> reply, Resource name) throws EngineException {
    return errors.await(reply, timeoutNanos, "the counter " + name);
  }
}
