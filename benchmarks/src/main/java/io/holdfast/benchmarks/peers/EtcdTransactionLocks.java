package io.holdfast.benchmarks.peers;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.PutOption;
import io.holdfast.cli.bench.Contender;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The floor of etcd: one transaction creates a key, another one deletes it.
 *
 * <p>Waiters poll. Nothing keeps the lease alive.
 */
final class EtcdTransactionLocks {

  private final KV kv;
  private final PutOption lease;
  private final ByteSequence owner =
      bytes(Long.toHexString(ThreadLocalRandom.current().nextLong()));

  private EtcdTransactionLocks(KV kv, long lease) {
    this.kv = kv;
    this.lease = PutOption.builder().withLeaseId(lease).build();
  }

  static Contender.Session open(Peer.Target target) throws Exception {
    Client client = Client.builder().endpoints(PeerAddresses.etcdEndpoint(target.store())).build();
    try {
      // Longer than any round, as nothing keeps it alive.
      long id = client.getLeaseClient().grant(target.lease().toSeconds() * 60).get().getID();
      return new PeerSession(
          () -> new EtcdTransactionLocks(client.getKVClient(), id).caller(), client);
    } catch (Exception e) {
      client.close();
      throw e;
    }
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  private Contender.Caller caller() {
    return new PeerCaller<>(this::take, this::giveBack);
  }

  private ByteSequence take(String name) throws Exception {
    ByteSequence key = bytes(name);
    PollingWait.until(
        () ->
            kv.txn()
                .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(0)))
                .Then(Op.put(key, owner, lease))
                .commit()
                .get()
                .isSucceeded());
    return key;
  }

  private void giveBack(ByteSequence key) throws Exception {
    PeerCaller.requireHeld(
        kv.txn()
            .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.value(owner)))
            .Then(Op.delete(key, DeleteOption.DEFAULT))
            .commit()
            .get()
            .isSucceeded());
  }
}
