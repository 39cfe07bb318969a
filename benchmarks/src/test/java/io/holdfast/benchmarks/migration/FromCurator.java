package io.holdfast.benchmarks.migration;

import io.holdfast.Election;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.JavaLock;
import io.holdfast.JavaReadWriteLock;
import io.holdfast.MultiHold;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListener;
import org.apache.curator.framework.recipes.locks.InterProcessMultiLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** The lines of docs/migrating-from-curator.md, for the compiler. */
@SuppressWarnings({"unused", "LockNotBeforeTry"})
final class FromCurator {

  private final Duration wait = Duration.ofSeconds(5);

  private FromCurator() {}

  private CuratorFramework connected() {
    var retries = new ExponentialBackoffRetry(1000, 3);
    CuratorFramework client = CuratorFrameworkFactory.newClient("localhost:2181", retries);
    client.start();
    return client;
  }

  private void wrote(
      CuratorFramework client, ConnectionStateListener states, LeaderSelectorListener listener)
      throws Exception {
    var mutex = new InterProcessMutex(client, "/locks/orders/42");
    mutex.acquire();
    boolean acquired = mutex.acquire(5, TimeUnit.SECONDS);
    mutex.release();
    boolean mine = mutex.isOwnedByCurrentThread();
    mutex.makeRevocable(revoked -> stop());
    client.getConnectionStateListenable().addListener(states);
    var notReentrant = new InterProcessSemaphoreMutex(client, "/locks/orders/42");
    var sides = new InterProcessReadWriteLock(client, "/locks/report");
    sides.readLock().acquire();
    var semaphore = new InterProcessSemaphoreV2(client, "/locks/pool", 5);
    Lease lease = semaphore.acquire();
    semaphore.returnLease(lease);
    var several = new InterProcessMultiLock(client, List.of("/locks/a", "/locks/b"));
    var latch = new LeaderLatch(client, "/leaders/outbox");
    latch.start();
    boolean leads = latch.hasLeadership();
    latch.close();
    var selector = new LeaderSelector(client, "/leaders/outbox", listener);
    selector.autoRequeue();
  }

  private Holdfast connects() {
    return Holdfast.connect("zookeeper://localhost:2181");
  }

  private void writeJavaLock(Holdfast holdfast) throws InterruptedException {
    JavaLock mutex = holdfast.lock("orders/42").asJavaLock();
    mutex.lock();
    boolean acquired = mutex.tryLock(5, TimeUnit.SECONDS);
    mutex.unlock();
    JavaReadWriteLock sides = holdfast.readWriteLock("report").asJavaLock();
    sides.readLock().lock();
  }

  private void write(Holdfast holdfast, Election.Candidate candidate) throws Exception {
    Hold hold = holdfast.lock("orders/42").acquire();
    boolean mine = hold.isHeld();
    hold.onLoss(loss -> stop());
    Hold permit = holdfast.semaphore("pool", 5).acquire(wait);
    permit.close();
    MultiHold both = holdfast.multiLock("a", "b").acquire(wait);
    Election.Candidacy candidacy = holdfast.election("outbox").stand(candidate);
    boolean leads = candidacy.isLeader();
    candidacy.close();
  }

  private void revoke(Holdfast holdfast, long token) throws EngineException {
    EngineInspector inspector = holdfast.inspector().orElseThrow();
    inspector.revoke(new Resource("default", "orders/42"), token, "maintenance");
  }

  private static void stop() {}
}
