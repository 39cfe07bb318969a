package io.holdfast.zookeeper;

import io.holdfast.FenceGuard;
import io.holdfast.Hold;
import io.holdfast.LockRefusedException;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StaleTokenException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/**
 * The fence guard of data that lives in ZooKeeper. {@link #run} checks the token and writes in one
 * transaction: use it wherever the write is a write to ZooKeeper.
 *
 * <pre>{@code
 * guard.run(hold, List.of(Op.setData("/orders/42", bytes, -1)));
 * }</pre>
 *
 * <p>One record a resource, below {@code ~fences} of the same root that the locks are in, with the
 * whole token of the last exclusive claim: so it also tells apart holds that were handed over
 * within a client, which have one lock node. Records have no end: to forget one would let old
 * holders in. A resource that is gone for good may be deleted together with its record.
 *
 * <p>Calls block for a few seconds at most: a session that is over takes a moment to be noticed.
 * Safe for any number of threads.
 */
public final class ZooKeeperFenceGuard implements FenceGuard, AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(6);
  private static final long PAUSE_NANOS = 20_000_000;
  private static final String NAMESPACE = "default";

  private final Fence fence;
  private final String namespace;

  private ZooKeeperFenceGuard(Fence fence, String namespace) {
    this.fence = fence;
    this.namespace = Resource.requireNamespace(namespace);
  }

  /**
   * A guard by address, with a session of its own. The servers need not be up. The address of an
   * engine will do: of its {@code holdfast.*} parameters the guard takes the namespace, and ignores
   * the others.
   *
   * @throws IllegalArgumentException when the address is not understood; the message has no secrets
   */
  public static ZooKeeperFenceGuard connect(String uri) {
    GuardAddress address = GuardAddress.of(uri);
    ZooKeeperOptions options = ZooKeeperOptions.of(address.store());
    return new ZooKeeperFenceGuard(
        new Fence(Connector.own(options, Fence.SESSION_MILLIS), options), address.namespace());
  }

  /**
   * A guard over a client that the program has made, and closes itself.
   *
   * @param options for the chroot and the rights on nodes; the servers are only shown
   */
  public static ZooKeeperFenceGuard over(ZooKeeper client, ZooKeeperOptions options) {
    var acl =
        options.acl() == ZooKeeperOptions.Acl.CREATOR
            ? ZooDefs.Ids.CREATOR_ALL_ACL
            : ZooDefs.Ids.OPEN_ACL_UNSAFE;
    return new ZooKeeperFenceGuard(new Fence(Connector.lent(client, acl), options), NAMESPACE);
  }

  /** A guard over the same session for the resources of another namespace. */
  @Override
  public ZooKeeperFenceGuard inNamespace(String other) {
    return new ZooKeeperFenceGuard(fence, other);
  }

  /**
   * {@inheritDoc}
   *
   * @throws StoreUnavailableException when there was no answer; claim again
   * @throws LockRefusedException for lack of rights
   */
  @Override
  public void claim(String resource, long token, String holdId) {
    check(new FenceRecord(token, holdId), resource, true);
  }

  /**
   * {@inheritDoc}
   *
   * @throws StoreUnavailableException when there was no answer; ask again
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
   * @param write its steps; one that fails fails all
   * @return what the steps answered, in their order
   * @throws StaleTokenException when a later holder has claimed; nothing was written
   * @throws StoreUnavailableException when it surely was not executed
   * @throws OutcomeUnknownException when there was no answer: it was executed or not
   * @throws LockRefusedException for lack of rights
   * @throws IllegalStateException when a step of the write failed; nothing was written
   */
  public List<OpResult> run(String resource, long token, String holdId, List<Op> write) {
    return write(new FenceRecord(token, holdId), resource, true, write);
  }

  /**
   * Writes as one of several, in the namespace of the hold; see {@link #runShared(String, long,
   * String, List)}.
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
    try {
      attempt(mine, resource, exclusive, List.of());
    } catch (EngineException.Refused e) {
      throw refused(resource, e);
    } catch (EngineException e) {
      // To claim again does no harm: there is no doubt that matters.
      throw new StoreUnavailableException(unheard(resource, e) + "; write nothing", e);
    }
  }

  private List<OpResult> write(
      FenceRecord mine, String resource, boolean exclusive, List<Op> write) {
    try {
      return attempt(mine, resource, exclusive, write);
    } catch (EngineException.Refused e) {
      throw refused(resource, e);
    } catch (EngineException.NotDone e) {
      throw new StoreUnavailableException(unheard(resource, e) + "; nothing was written", e);
    } catch (EngineException e) {
      throw new OutcomeUnknownException(
          unheard(resource, e) + "; it was written or not: look before writing again", e);
    }
  }

  /** What surely did nothing, or does no harm when it is done twice, is tried again for a while. */
  private List<OpResult> attempt(
      FenceRecord mine, String resource, boolean exclusive, List<Op> write) throws EngineException {
    Resource what = new Resource(namespace, resource);
    if (mine.token() < 1) {
      throw new IllegalArgumentException("token must be >= 1: token=" + mine.token());
    }
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      boolean written = false;
      try {
        Fence.Read read = fence.read(what);
        List<Op> steps = steps(mine, exclusive, resource, read);
        steps.addAll(write);
        written = !write.isEmpty();
        Fence.Outcome outcome = fence.perform(steps);
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
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  /** Judges, and sees to it that the record is the same when it is written. */
  private static List<Op> steps(
      FenceRecord mine, boolean exclusive, String resource, Fence.Read read) {
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

  private static LockRefusedException refused(String resource, EngineException why) {
    return new LockRefusedException(
        "the guard of " + resource + " refused: " + why.getMessage(), why);
  }

  private static String unheard(String resource, EngineException why) {
    return "the guard of " + resource + " was not heard: " + why.getMessage();
  }

  /** Ends the guard's own session, also for those made from it; a lent client stays open. */
  @Override
  public void close() {
    fence.close();
  }
}
