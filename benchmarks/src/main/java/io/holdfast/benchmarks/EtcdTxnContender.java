package io.holdfast.benchmarks;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.PutOption;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The floor of a server: one transaction that makes a key if it is not there, one that deletes it
 * if it is ours. Who does not get in asks again a little later. Nothing keeps the lease alive.
 */
final class EtcdTxnContender implements Contender {

  private final EtcdAddress address;
  private final Duration lease;

  /** A contender over a server that need not be up yet. */
  EtcdTxnContender(EtcdAddress address, Duration lease) {
    this.address = address;
    this.lease = lease;
  }

  @Override
  public String name() {
    return EtcdPeers.RAW;
  }

  @Override
  public boolean acrossProcesses() {
    return true;
  }

  @Override
  public Session open(Path folder) throws Exception {
    Client client = Client.builder().endpoints(address.endpoint()).build();
    try {
      // Longer than any round: this floor does not keep it alive.
      long id = client.getLeaseClient().grant(lease.toSeconds() * 60).get().getID();
      return new Connected(client, id);
    } catch (Exception e) {
      client.close();
      throw e;
    }
  }

  private record Connected(Client client, long lease) implements Session {

    @Override
    public Caller caller() {
      return new KeyCaller(client.getKVClient(), lease);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private static final class KeyCaller implements Caller {
    private final KV kv;
    private final long lease;
    private final ByteSequence owner =
        bytes(Long.toHexString(ThreadLocalRandom.current().nextLong()));
    private @Nullable ByteSequence held;

    KeyCaller(KV kv, long lease) {
      this.kv = kv;
      this.lease = lease;
    }

    private static ByteSequence bytes(String text) {
      return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    @Override
    public long acquire(String name) throws Exception {
      ByteSequence key = bytes(name);
      Asking.untilYes(() -> take(key));
      held = key;
      return NO_TOKEN;
    }

    private boolean take(ByteSequence key) throws Exception {
      return kv.txn()
          .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(0)))
          .Then(Op.put(key, owner, PutOption.builder().withLeaseId(lease).build()))
          .commit()
          .get()
          .isSucceeded();
    }

    @Override
    public void release() throws Exception {
      ByteSequence key = Objects.requireNonNull(held);
      boolean ours =
          kv.txn()
              .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.value(owner)))
              .Then(Op.delete(key, DeleteOption.DEFAULT))
              .commit()
              .get()
              .isSucceeded();
      if (!ours) {
        throw new IllegalStateException("it had been lost");
      }
    }
  }
}
