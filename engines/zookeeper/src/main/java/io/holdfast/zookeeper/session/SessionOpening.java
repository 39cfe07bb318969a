package io.holdfast.zookeeper.session;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.support.LeaseClock;
import io.holdfast.zookeeper.connection.ClientFactory;
import io.holdfast.zookeeper.connection.Futures;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.StoreErrors.EngineFailure;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.Paths;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/** Checks the layout in a new session and creates the session's own node. */
public final class SessionOpening {

  private static final byte[] NOTHING = {};
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Paths paths;
  private final List<ACL> acl;
  private final StoreErrors errors;
  private final LongSupplier nanoTime;
  private final LeaseClock clock;
  private final Duration lease;

  public SessionOpening(Paths paths, List<ACL> acl, StoreErrors errors, Settings settings) {
    this.paths = paths;
    this.acl = acl;
    this.errors = errors;
    this.nanoTime = settings.nanoTime();
    this.clock = new LeaseClock(nanoTime, settings.epochMicros());
    this.lease = settings.lease();
  }

  /**
   * Opens the session of a connected client; blocks until the store has replied.
   *
   * @param callerSupplied whether the session may be older than this process knows
   */
  Session open(ClientFactory.PendingClient pending, boolean callerSupplied, long timeoutNanos)
      throws EngineException {
    ZooKeeper client = pending.client();
    requireTimeout(client);
    ZooKeeperConnection connection = new ZooKeeperConnection(client, acl);
    String ownNode = paths.clients() + "/" + HexFormat.of().toHexDigits(RANDOM.nextLong());
    SessionValidity validity = validity(callerSupplied, pending.sessionRequestedAt().getAsLong());
    LeaseClock.Moment sent = validity.now();
    CompletableFuture<Session> opened =
        requireLayout(connection)
            .thenCompose(known -> createOwnNode(connection, ownNode))
            .thenCompose(created -> requireManyReads(connection).thenApply(known -> created))
            .thenApply(
                created -> {
                  validity.confirmed(sent);
                  return new Session(
                      connection,
                      paths,
                      ownNode,
                      validity,
                      created.stat().getCtime(),
                      nanoTime,
                      pending.moveToNextServer());
                });
    try {
      return opened.get(Math.max(1, timeoutNanos), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw errors.translate(e.getCause() == null ? e : e.getCause(), "the session");
    } catch (TimeoutException e) {
      throw new EngineException.NotDone(
          "no reply from " + errors.store() + " while a session was opened", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException.NotDone("interrupted while connecting to " + errors.store(), e);
    }
  }

  private SessionValidity validity(boolean callerSupplied, long requestedAt) {
    LeaseClock.Moment requested = new LeaseClock.Moment(requestedAt, clock.now().aheadNanos());
    return callerSupplied
        ? SessionValidity.ofOlderSession(clock, lease.toNanos(), requested)
        : new SessionValidity(clock, lease.toNanos(), requested);
  }

  /** A server grants what its own bounds allow; less than the lease is not enough. */
  private void requireTimeout(ZooKeeper client) throws EngineException {
    int granted = client.getSessionTimeout();
    if (granted < lease.toMillis()) {
      throw new EngineException.Refused(
          errors.store()
              + " grants sessions of "
              + granted
              + " ms, and the lease is "
              + lease.toMillis()
              + " ms: set a shorter lease, or raise maxSessionTimeout there");
    }
  }

  private CompletableFuture<Boolean> requireLayout(ZooKeeperConnection connection) {
    CompletableFuture<Boolean> checked =
        connection
            .read(paths.root())
            .thenApply(
                node -> {
                  String version = new String(node.data(), StandardCharsets.UTF_8);
                  if (!version.isEmpty() && !version.equals(Paths.VERSION)) {
                    throw new EngineFailure(otherLayout(version));
                  }
                  return true;
                });
    return Futures.valueIf(checked, Code.NONODE, false);
  }

  private EngineException otherLayout(String version) {
    return new EngineException.Refused(
        paths.root()
            + " at "
            + errors.store()
            + " has the layout "
            + version
            + ", and this version knows "
            + Paths.VERSION
            + ": use a newer version of Holdfast, or another chroot");
  }

  /**
   * Tries a request with many reads. A server that does not know it drops the connection: better
   * now than when locks are held.
   */
  private CompletableFuture<?> requireManyReads(ZooKeeperConnection connection) {
    return connection.lastChildChanges(List.of(paths.clients()));
  }

  /** Creates the session's own node, after its parents if they are missing. */
  private CompletableFuture<ZooKeeperConnection.Created> createOwnNode(
      ZooKeeperConnection connection, String ownNode) {
    return Futures.then(
        connection.create(ownNode, NOTHING, CreateMode.EPHEMERAL),
        CompletableFuture::completedFuture,
        failure ->
            StoreErrors.code(failure) == Code.NONODE
                ? createParents(connection)
                    .thenCompose(done -> connection.create(ownNode, NOTHING, CreateMode.EPHEMERAL))
                : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Boolean> createParents(ZooKeeperConnection connection) {
    CompletableFuture<Boolean> last = CompletableFuture.completedFuture(true);
    String path = paths.clients();
    for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      String parent = path.substring(0, slash);
      last = last.thenCompose(done -> createIfMissing(connection, parent));
    }
    return last.thenCompose(done -> createIfMissing(connection, path));
  }

  private CompletableFuture<Boolean> createIfMissing(ZooKeeperConnection connection, String path) {
    byte[] data =
        path.equals(paths.root()) ? Paths.VERSION.getBytes(StandardCharsets.US_ASCII) : NOTHING;
    CompletableFuture<Boolean> created =
        connection.create(path, data, CreateMode.PERSISTENT).thenApply(made -> true);
    // A parent of the chroot may exist without the right to create it.
    return Futures.valueIf(Futures.valueIf(created, Code.NODEEXISTS, true), Code.NOAUTH, true);
  }
}
