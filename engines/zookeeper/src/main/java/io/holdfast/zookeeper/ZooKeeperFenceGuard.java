package io.holdfast.zookeeper;

import io.holdfast.FenceGuard;
import io.holdfast.Hold;
import io.holdfast.LockRefusedException;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StaleTokenException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.support.GuardSteps;
import io.holdfast.spi.support.GuardUri;
import io.holdfast.spi.support.RetryDelay;
import io.holdfast.zookeeper.connection.ClientFactory;
import io.holdfast.zookeeper.layout.FenceRecord;
import io.holdfast.zookeeper.layout.FenceStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;

/**
 * Guards data in ZooKeeper against holders of outdated tokens.
 *
 * <p>{@link #run} checks the token and writes in one transaction: use it for every write to
 * ZooKeeper.
 *
 * <pre>{@code
 * guard.run(hold, List.of(Op.setData("/orders/42", bytes, -1)));
 * }</pre>
 *
 * <p>There is one record per resource, below {@code ~fences} of the root that the locks are in,
 * with the whole token of the last exclusive claim. So it also distinguishes holds that were handed
 * over within a client, which share one lock node. Records do not expire: without its record,
 * outdated holders of a resource would be let in. Delete a record only together with its resource.
 *
 * <p>Calls block for a few seconds at most: an expired session takes a moment to be noticed. Safe
 * for any number of threads.
 */
public final class ZooKeeperFenceGuard implements FenceGuard, AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(6);

  private static final RetryDelay RETRY =
      RetryDelay.steady(Duration.ofMillis(20), () -> ThreadLocalRandom.current().nextDouble());
  private static final String NAMESPACE = "default";

  private final FenceStore fence;
  private final String namespace;

  private ZooKeeperFenceGuard(FenceStore fence, String namespace) {
    this.fence = fence;
    this.namespace = Resource.requireNamespace(namespace);
  }

  /**
   * Connects with a session of its own. The servers need not be up. The address of an engine is
   * accepted: of its {@code holdfast.*} parameters the guard uses the namespace and ignores the
   * others.
   *
   * @throws IllegalArgumentException when the address is invalid; the message contains no secrets
   */
  public static ZooKeeperFenceGuard connect(String uri) {
    GuardUri address = GuardUri.parse(uri, Set.of());
    ZooKeeperOptions options = ZooKeeperOptions.of(address.store());
    return new ZooKeeperFenceGuard(
        new FenceStore(
            ClientFactory.newClients(options.clientSettings(), FenceStore.SESSION_MILLIS),
            options.chroot(),
            options.address()),
        address.namespace());
  }

  /**
   * Returns a guard over a caller-supplied client, which the caller closes.
   *
   * @param options for the chroot and the rights on nodes; the servers only appear in messages
   */
  public static ZooKeeperFenceGuard over(ZooKeeper client, ZooKeeperOptions options) {
    return new ZooKeeperFenceGuard(
        new FenceStore(
            ClientFactory.callerSupplied(client, options.clientSettings().acl()),
            options.chroot(),
            options.address()),
        NAMESPACE);
  }

  /** Returns a guard over the same session for another namespace. */
  @Override
  public ZooKeeperFenceGuard inNamespace(String other) {
    return new ZooKeeperFenceGuard(fence, other);
  }

  /**
   * {@inheritDoc}
   *
   * @throws StoreUnavailableException when there was no reply; claim again
   * @throws LockRefusedException for lack of rights
   */
  @Override
  public void claim(String resource, long token, String holdId) {
    check(new FenceRecord(token, holdId), resource, true);
  }

  /**
   * {@inheritDoc}
   *
   * @throws StoreUnavailableException when there was no reply; ask again
   * @throws LockRefusedException for lack of rights
   */
  @Override
  public void admit(String resource, long token, String holdId) {
    check(new FenceRecord(token, holdId), resource, false);
  }

  /**
   * Writes as the exclusive holder, in the namespace of the hold; see {@link #run(String, long,
   * String, List)}.
   */
  public List<OpResult> run(Hold hold, List<Op> write) {
    return inNamespace(hold.namespace()).run(hold.name(), hold.token(), hold.id(), write);
  }

  /**
   * Claims and writes in one transaction.
   *
   * @param write its steps; if one fails, none is executed
   * @return the results of the steps, in their order
   * @throws StaleTokenException when a later holder has claimed; nothing was written
   * @throws StoreUnavailableException when it surely was not executed
   * @throws OutcomeUnknownException when there was no reply: it was executed or not
   * @throws LockRefusedException for lack of rights
   * @throws IllegalStateException when a step of the write failed; nothing was written
   */
  public List<OpResult> run(String resource, long token, String holdId, List<Op> write) {
    return write(new FenceRecord(token, holdId), resource, true, write);
  }

  /**
   * Writes as one of several holders, in the namespace of the hold; see {@link #runShared(String,
   * long, String, List)}.
   */
  public List<OpResult> runShared(Hold hold, List<Op> write) {
    return inNamespace(hold.namespace()).runShared(hold.name(), hold.token(), hold.id(), write);
  }

  /**
   * Admits and writes in one transaction: for holders of a permit or of a read lock. Raises
   * nothing; otherwise as {@link #run(String, long, String, List)}.
   */
  public List<OpResult> runShared(String resource, long token, String holdId, List<Op> write) {
    return write(new FenceRecord(token, holdId), resource, false, write);
  }

  private void check(FenceRecord mine, String resource, boolean exclusive) {
    GuardSteps.check(resource, () -> attempt(mine, resource, exclusive, List.of()));
  }

  private List<OpResult> write(
      FenceRecord mine, String resource, boolean exclusive, List<Op> write) {
    return GuardSteps.write(resource, () -> attempt(mine, resource, exclusive, write));
  }

  /** Retries what surely had no effect, or is harmless when it is repeated. */
  private List<OpResult> attempt(
      FenceRecord mine, String resource, boolean exclusive, List<Op> write) throws EngineException {
    Resource what = new Resource(namespace, resource);
    GuardSteps.requireToken(mine.token());
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (true) {
      boolean written = false;
      try {
        FenceStore.Read read = fence.read(what);
        List<Op> steps = steps(mine, exclusive, resource, read);
        steps.addAll(write);
        written = !write.isEmpty();
        FenceStore.Outcome outcome = fence.perform(steps);
        if (outcome.code() == Code.OK) {
          return outcome.results().subList(1, outcome.results().size());
        } else if (outcome.failed() > 0) {
          throw new IllegalStateException(
              "step %d of the guarded write for %s failed with %s; nothing was written"
                  .formatted(outcome.failed(), what, outcome.code()));
        }
      } catch (EngineException.NotDone e) {
        giveUpAfter(end, e);
      } catch (EngineException.Unknown e) {
        giveUpAfter(written ? System.nanoTime() : end, e);
      }
    }
  }

  private static void giveUpAfter(long end, EngineException why) throws EngineException {
    if (end - System.nanoTime() <= 0) {
      throw why;
    }
    LockSupport.parkNanos(RETRY.nanosAfter(1));
  }

  /**
   * Checks the token against the record, and makes sure that the record is the same when it is
   * written.
   */
  private static List<Op> steps(
      FenceRecord mine, boolean exclusive, String resource, FenceStore.Read read) {
    FenceRecord stored = read.record();
    if (!mine.passes(stored)) {
      throw new StaleTokenException(resource, mine.token(), stored.token());
    }
    List<Op> steps = new ArrayList<>();
    steps.add(
        exclusive && !mine.equals(stored)
            ? Op.setData(read.path(), mine.text(), read.version())
            : Op.check(read.path(), read.version()));
    return steps;
  }

  /** Ends the session, for all namespaces; a caller-supplied client stays open. */
  @Override
  public void close() {
    fence.close();
  }
}
