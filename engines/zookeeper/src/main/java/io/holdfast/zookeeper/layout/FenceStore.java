package io.holdfast.zookeeper.layout;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.zookeeper.connection.ClientFactory;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes fence records over a session of its own. Safe for several threads.
 *
 * <p>A fence guard is used without an engine, so this does not use the engine's session.
 */
public final class FenceStore implements AutoCloseable {

  /** The session timeout of guards that create their own client. */
  public static final int SESSION_MILLIS = 10_000;

  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final long POLL_NANOS = 5_000_000;
  private static final byte[] NOTHING = {};

  /** A record and the version of its node. */
  public record Read(String path, FenceRecord record, int version) {}

  /**
   * The outcome of a transaction.
   *
   * @param failed the index of the first step that failed; -1 if none did
   */
  public record Outcome(Code code, int failed, List<OpResult> results) {}

  private final ClientFactory clients;
  private final Paths paths;
  private final StoreErrors errors;
  private @Nullable ZooKeeper client;
  private boolean closed;

  /** Creates a store at this address, which contains no secrets. */
  public FenceStore(ClientFactory clients, String chroot, String address) {
    this.clients = clients;
    this.paths = Paths.in(chroot);
    this.errors = new StoreErrors(address);
  }

  private synchronized ZooKeeper client() throws EngineException {
    if (closed) {
      throw new EngineException.Refused("the guard at " + errors.store() + " is closed");
    }
    ZooKeeper open = client;
    if (open == null || !open.getState().isAlive()) {
      try {
        open = clients.connect(event -> {}, System::nanoTime).client();
      } catch (IOException e) {
        throw new EngineException.NotDone("no connection to " + errors.store(), e);
      }
      client = open;
    }
    return open;
  }

  private ZooKeeperConnection connection() throws EngineException {
    ZooKeeper open = client();
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (!open.getState().isConnected()) {
      if (end - System.nanoTime() <= 0 || !open.getState().isAlive()) {
        throw new EngineException.NotDone(
            "no connection to " + errors.store() + " within 2 s", null);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return new ZooKeeperConnection(open, clients.acl());
  }

  /** Translates a failure; an expired session is replaced by the next call. */
  private EngineException failure(Throwable why, String about) {
    if (StoreErrors.code(why) == Code.SESSIONEXPIRED) {
      drop();
    }
    return errors.translate(why, about);
  }

  private synchronized void drop() {
    if (client != null) {
      CompletableFuture<?> unused = clients.close(client);
      client = null;
    }
  }

  /** Reads the record of a resource; creates an empty one if there is none. */
  public Read read(Resource resource) throws EngineException {
    ZooKeeperConnection connection = connection();
    String path = paths.fence(resource);
    while (true) {
      try {
        ZooKeeperConnection.Node node = get(connection.read(path));
        return new Read(path, FenceRecord.parse(node.data()), node.stat().getVersion());
      } catch (ExecutionException e) {
        if (StoreErrors.code(bare(e)) != Code.NONODE) {
          throw failure(bare(e), resource.toString());
        }
        create(connection, path, resource);
      } catch (IllegalArgumentException e) {
        throw new EngineException.Refused(
            path + " at " + errors.store() + " was not written by Holdfast and was left untouched",
            e);
      }
    }
  }

  private void create(ZooKeeperConnection connection, String path, Resource resource)
      throws EngineException {
    for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      create(connection, path.substring(0, slash), resource.toString());
    }
    create(connection, path, resource.toString());
  }

  private void create(ZooKeeperConnection connection, String path, String about)
      throws EngineException {
    byte[] data =
        path.equals(paths.root()) ? Paths.VERSION.getBytes(StandardCharsets.US_ASCII) : NOTHING;
    try {
      ZooKeeperConnection.Created unused =
          get(connection.create(path, data, CreateMode.PERSISTENT));
    } catch (ExecutionException e) {
      Code code = StoreErrors.code(bare(e));
      if (code != Code.NODEEXISTS && code != Code.NOAUTH) {
        throw failure(bare(e), about);
      }
    }
  }

  /** Executes a transaction; a failed step is reported in the outcome, not thrown. */
  public Outcome perform(List<Op> steps) throws EngineException {
    CompletableFuture<Outcome> reply = new CompletableFuture<>();
    connection()
        .client()
        .multi(
            steps,
            (rc, path, context, results) -> {
              Code code = Code.get(rc);
              reply.complete(
                  new Outcome(
                      code == null ? Code.SYSTEMERROR : code,
                      failed(results),
                      results == null ? List.of() : results));
            },
            null);
    try {
      Outcome outcome = get(reply);
      boolean decided = outcome.code() == Code.OK || outcome.failed() >= 0;
      if (decided && outcome.code() != Code.NOAUTH) {
        return outcome;
      }
      throw failure(KeeperException.create(outcome.code()), "the fence");
    } catch (ExecutionException e) {
      throw failure(bare(e), "the fence");
    }
  }

  private static int failed(@Nullable List<OpResult> results) {
    for (int i = 0; results != null && i < results.size(); i++) {
      if (results.get(i) instanceof OpResult.ErrorResult error
          && error.getErr() != Code.OK.intValue()) {
        return i;
      }
    }
    return -1;
  }

  private static Throwable bare(ExecutionException e) {
    return e.getCause() == null ? e : e.getCause();
  }

  private <T> T get(CompletableFuture<T> reply) throws EngineException, ExecutionException {
    try {
      return reply.get(TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new EngineException.Unknown("no reply from " + errors.store(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException.Unknown("interrupted while waiting for " + errors.store(), e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (client != null) {
      // Nothing lives on its session, so there is no need to wait for its end.
      CompletableFuture<?> unused = clients.close(client);
    }
  }
}
