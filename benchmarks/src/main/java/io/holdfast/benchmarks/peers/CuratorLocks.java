package io.holdfast.benchmarks.peers;

import io.holdfast.cli.bench.Contender;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** Apache Curator's recipes: its mutex, or its semaphore with one lease. Both are in order. */
final class CuratorLocks {

  private static final String ROOT = "/curator/";
  private static final int CONNECT_MILLIS = 10_000;
  private static final long WAIT_SECONDS = 20;

  private record Held(InterProcessSemaphoreV2 semaphore, Lease lease) {}

  private CuratorLocks() {}

  static Contender.Session mutex(Peer.Target target) throws Exception {
    CuratorFramework client = connect(target);
    return new PeerSession(() -> mutexCaller(client), client);
  }

  static Contender.Session semaphore(Peer.Target target) throws Exception {
    CuratorFramework client = connect(target);
    return new PeerSession(() -> semaphoreCaller(client), client);
  }

  /** Connects Curator's framework; returns when the session is there. */
  static CuratorFramework connect(Peer.Target target) throws InterruptedException {
    CuratorFramework client =
        CuratorFrameworkFactory.newClient(
            PeerAddresses.zooKeeperHosts(target.store()),
            target.sessionMillis(),
            CONNECT_MILLIS,
            new ExponentialBackoffRetry(100, 5));
    client.start();
    client.blockUntilConnected(CONNECT_MILLIS, TimeUnit.MILLISECONDS);
    return client;
  }

  /** Creates a mutex once for each name. */
  private static Contender.Caller mutexCaller(CuratorFramework client) {
    Map<String, InterProcessMutex> locks = new HashMap<>();
    return new PeerCaller<>(
        name -> {
          InterProcessMutex lock =
              locks.computeIfAbsent(name, n -> new InterProcessMutex(client, ROOT + flat(n)));
          requireAcquired(lock.acquire(WAIT_SECONDS, TimeUnit.SECONDS));
          return lock;
        },
        InterProcessMutex::release);
  }

  /** Creates a semaphore once for each name. */
  private static Contender.Caller semaphoreCaller(CuratorFramework client) {
    Map<String, InterProcessSemaphoreV2> semaphores = new HashMap<>();
    return new PeerCaller<>(
        name -> {
          InterProcessSemaphoreV2 semaphore =
              semaphores.computeIfAbsent(
                  name, n -> new InterProcessSemaphoreV2(client, ROOT + "s-" + flat(n), 1));
          Lease lease = semaphore.acquire(WAIT_SECONDS, TimeUnit.SECONDS);
          requireAcquired(lease != null);
          return new Held(semaphore, lease);
        },
        held -> held.semaphore().returnLease(held.lease()));
  }

  private static String flat(String name) {
    return name.replace('/', '-');
  }

  private static void requireAcquired(boolean acquired) {
    if (!acquired) {
      throw new IllegalStateException("not acquired within " + WAIT_SECONDS + " s");
    }
  }
}
