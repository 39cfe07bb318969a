package io.holdfast.benchmarks;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.support.CloseableClient;
import io.etcd.jetcd.support.Observers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The lock service of etcd by its Java client. Every thread has a lease of its own, made once and
 * kept alive: two threads with one lease would share the lock.
 */
final class JetcdLockContender implements Contender {

  private final EtcdAddress address;
  private final Duration lease;

  /**
   * A contender over a server that need not be up yet.
   *
   * @param lease that is kept alive
   */
  JetcdLockContender(EtcdAddress address, Duration lease) {
    this.address = address;
    this.lease = lease;
  }

  @Override
  public String name() {
    return EtcdPeers.JETCD;
  }

  @Override
  public boolean acrossProcesses() {
    return true;
  }

  @Override
  public Session open(Path folder) {
    return new Connected(Client.builder().endpoints(address.endpoint()).build(), lease.toSeconds());
  }

  private record Connected(Client client, long seconds) implements Session {

    @Override
    public Caller caller() {
      return new LockCaller(client, seconds);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private static final class LockCaller implements Caller {
    private final Client client;
    private final long seconds;
    private long lease;
    private @Nullable CloseableClient alive;
    private @Nullable ByteSequence held;

    LockCaller(Client client, long seconds) {
      this.client = client;
      this.seconds = seconds;
    }

    @Override
    public long acquire(String name) throws Exception {
      if (alive == null) {
        lease = client.getLeaseClient().grant(seconds).get().getID();
        alive = client.getLeaseClient().keepAlive(lease, Observers.observer(answer -> {}));
      }
      ByteSequence key = ByteSequence.from(name, StandardCharsets.UTF_8);
      held = client.getLockClient().lock(key, lease).get().getKey();
      return NO_TOKEN;
    }

    @Override
    public void release() throws Exception {
      client.getLockClient().unlock(Objects.requireNonNull(held)).get();
    }
  }
}
