package io.holdfast.benchmarks;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;

/** Apache Curator's recipes: its mutex, or its semaphore with one lease. Both are in order. */
final class CuratorContender implements Contender {

  private static final String ROOT = "/curator/";
  private static final int CONNECT_MILLIS = 10_000;
  private static final long WAIT_SECONDS = 20;

  private final String name;
  private final boolean mutex;
  private final String hosts;
  private final int sessionMillis;

  CuratorContender(String name, boolean mutex, String hosts, int sessionMillis) {
    this.name = name;
    this.mutex = mutex;
    this.hosts = hosts;
    this.sessionMillis = sessionMillis;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean acrossProcesses() {
    return true;
  }

  @Override
  public Session open(Path folder) throws Exception {
    CuratorFramework client =
        CuratorFrameworkFactory.newClient(
            hosts, sessionMillis, CONNECT_MILLIS, new ExponentialBackoffRetry(100, 5));
    client.start();
    client.blockUntilConnected(CONNECT_MILLIS, TimeUnit.MILLISECONDS);
    return new Connected(client, mutex);
  }

  private record Connected(CuratorFramework client, boolean mutex) implements Session {

    @Override
    public Caller caller() {
      return mutex ? new MutexCaller(client) : new SemaphoreCaller(client);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private static String flat(String name) {
    return name.replace('/', '-');
  }

  private static void require(boolean held) {
    if (!held) {
      throw new IllegalStateException("not acquired within " + WAIT_SECONDS + " s");
    }
  }

  /** A mutex for each name, made once. */
  private static final class MutexCaller implements Caller {
    private final CuratorFramework client;
    private final Map<String, InterProcessMutex> locks = new HashMap<>();
    private @Nullable InterProcessMutex held;

    MutexCaller(CuratorFramework client) {
      this.client = client;
    }

    @Override
    public long acquire(String name) throws Exception {
      InterProcessMutex lock =
          locks.computeIfAbsent(name, n -> new InterProcessMutex(client, ROOT + flat(n)));
      require(lock.acquire(WAIT_SECONDS, TimeUnit.SECONDS));
      held = lock;
      return NO_TOKEN;
    }

    @Override
    public void release() throws Exception {
      Objects.requireNonNull(held).release();
    }
  }

  /** A semaphore for each name, made once. */
  private static final class SemaphoreCaller implements Caller {
    private final CuratorFramework client;
    private final Map<String, InterProcessSemaphoreV2> locks = new HashMap<>();
    private @Nullable InterProcessSemaphoreV2 of;
    private @Nullable Lease held;

    SemaphoreCaller(CuratorFramework client) {
      this.client = client;
    }

    @Override
    public long acquire(String name) throws Exception {
      InterProcessSemaphoreV2 semaphore =
          locks.computeIfAbsent(
              name, n -> new InterProcessSemaphoreV2(client, ROOT + "s-" + flat(n), 1));
      Lease lease = semaphore.acquire(WAIT_SECONDS, TimeUnit.SECONDS);
      require(lease != null);
      of = semaphore;
      held = lease;
      return NO_TOKEN;
    }

    @Override
    public void release() {
      Objects.requireNonNull(of).returnLease(Objects.requireNonNull(held));
    }
  }
}
