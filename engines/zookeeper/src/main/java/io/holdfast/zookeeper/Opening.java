package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineProvider.Settings;
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

/** The first steps in a new session: the layout is there, and so is the session's own node. */
final class Opening {

  private static final byte[] NOTHING = {};
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Layout layout;
  private final List<ACL> acl;
  private final Words words;
  private final LongSupplier nanoTime;
  private final LongSupplier ahead;
  private final Duration lease;

  Opening(Layout layout, List<ACL> acl, Words words, Settings settings) {
    this.layout = layout;
    this.acl = acl;
    this.words = words;
    this.nanoTime = settings.nanoTime();
    this.ahead = () -> settings.epochMicros().getAsLong() * 1000 - nanoTime.getAsLong();
    this.lease = settings.lease();
  }

  /**
   * Opens; blocks for the store.
   *
   * @param lent whether the session is older than we know
   */
  Session open(Connector.Asked asked, boolean lent, long patienceNanos) throws EngineException {
    ZooKeeper client = asked.client();
    requireTime(client);
    Wire wire = new Wire(client, acl);
    String own = layout.clients() + "/" + HexFormat.of().toHexDigits(RANDOM.nextLong());
    Belief belief = belief(lent, asked.askedAt().getAsLong());
    Belief.Moment sent = belief.moment(nanoTime.getAsLong());
    CompletableFuture<Session> opened =
        requireLayout(wire)
            .thenCompose(known -> make(wire, own))
            .thenCompose(made -> requireReads(wire).thenApply(known -> made))
            .thenApply(
                made -> {
                  long now = nanoTime.getAsLong();
                  belief.confirmed(sent, now);
                  long millis = made.stat().getCtime();
                  return new Session(wire, layout, own, belief, millis, now, asked.moveOn());
                });
    try {
      return opened.get(Math.max(1, patienceNanos), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw words.of(e.getCause() == null ? e : e.getCause(), "the session");
    } catch (TimeoutException e) {
      throw new EngineException.NotDone("no answer from " + words.store(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException.NotDone("interrupted while connecting to " + words.store(), e);
    }
  }

  private Belief belief(boolean lent, long askedAt) {
    Belief.Moment asked = new Belief.Moment(askedAt, ahead.getAsLong());
    return lent
        ? Belief.ofOlder(lease.toNanos(), asked, ahead)
        : new Belief(lease.toNanos(), asked, ahead);
  }

  /**
   * A server that does not know many reads in one request ends the connection over it: better now
   * than when something is held.
   */
  private CompletableFuture<?> requireReads(Wire wire) {
    return wire.changes(List.of(layout.clients()));
  }

  /** A server grants what its own bounds allow; less than was asked for is not enough. */
  private void requireTime(ZooKeeper client) throws EngineException {
    int granted = client.getSessionTimeout();
    if (granted < lease.toMillis()) {
      throw new EngineException.Refused(
          words.store()
              + " grants sessions of "
              + granted
              + " ms, and the lease is "
              + lease.toMillis()
              + " ms: set a shorter lease, or raise maxSessionTimeout there");
    }
  }

  private CompletableFuture<Boolean> requireLayout(Wire wire) {
    return wire.data(layout.root(), null)
        .thenApply(
            node -> {
              String version = new String(node.data(), StandardCharsets.UTF_8);
              if (!version.isEmpty() && !version.equals(Layout.VERSION)) {
                throw new Words.Told(
                    new EngineException.Refused(
                        layout.root()
                            + " at "
                            + words.store()
                            + " has the layout "
                            + version
                            + ", and this version knows "
                            + Layout.VERSION
                            + ": use a newer version of Holdfast, or another chroot"));
              }
              return true;
            })
        .exceptionallyCompose(
            failure ->
                Words.code(failure) == Code.NONODE
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }

  /** Its own node, and before it what is missing above it. */
  private CompletableFuture<Wire.Made> make(Wire wire, String own) {
    return wire.create(own, NOTHING, CreateMode.EPHEMERAL)
        .exceptionallyCompose(
            failure ->
                Words.code(failure) == Code.NONODE
                    ? parents(wire)
                        .thenCompose(done -> wire.create(own, NOTHING, CreateMode.EPHEMERAL))
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Boolean> parents(Wire wire) {
    CompletableFuture<Boolean> last = CompletableFuture.completedFuture(true);
    String path = layout.clients();
    for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      String parent = path.substring(0, slash);
      last = last.thenCompose(done -> ensure(wire, parent));
    }
    return last.thenCompose(done -> ensure(wire, path));
  }

  private CompletableFuture<Boolean> ensure(Wire wire, String path) {
    byte[] data =
        path.equals(layout.root()) ? Layout.VERSION.getBytes(StandardCharsets.US_ASCII) : NOTHING;
    return wire.create(path, data, CreateMode.PERSISTENT)
        .thenApply(made -> true)
        .exceptionallyCompose(
            failure -> {
              Code code = Words.code(failure);
              // What is above ours may be there, and not for us to make.
              return code == Code.NODEEXISTS || code == Code.NOAUTH
                  ? CompletableFuture.completedFuture(true)
                  : CompletableFuture.failedFuture(failure);
            });
  }
}
