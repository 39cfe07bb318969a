package io.holdfast.benchmarks.peers;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.support.Observers;
import io.holdfast.cli.bench.Contender;
import java.nio.charset.StandardCharsets;

/**
 * The lock service of etcd through its Java client.
 *
 * <p>Every thread has its own lease, created once and kept alive: two threads with one lease would
 * share the lock.
 */
final class JetcdLocks implements PeerCaller.Take<ByteSequence> {

  private final Client client;
  private final long seconds;
  private long lease;

  private JetcdLocks(Client client, long seconds) {
    this.client = client;
    this.seconds = seconds;
  }

  static Contender.Session open(Peer.Target target) {
    Client client = Client.builder().endpoints(PeerAddresses.etcdEndpoint(target.store())).build();
    long seconds = target.lease().toSeconds();
    return new PeerSession(
        () ->
            new PeerCaller<>(
                new JetcdLocks(client, seconds), key -> client.getLockClient().unlock(key).get()),
        client);
  }

  @Override
  public ByteSequence take(String name) throws Exception {
    if (lease == 0) {
      Lease leases = client.getLeaseClient();
      lease = leases.grant(seconds).get().getID();
      leases.keepAlive(lease, Observers.observer(reply -> {}));
    }
    ByteSequence key = ByteSequence.from(name, StandardCharsets.UTF_8);
    return client.getLockClient().lock(key, lease).get().getKey();
  }
}
