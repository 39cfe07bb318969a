package io.holdfast.benchmarks;

import java.time.Duration;
import java.util.Map;

/** The peers over an etcd server. */
final class EtcdPeers {

  /** The lock that etcd itself has, by its Java client. */
  static final String JETCD = "jetcd-lock";

  /** The floor. */
  static final String RAW = "etcd-txn";

  /** Makes a contender, once the server is known. */
  @FunctionalInterface
  interface Maker {
    Contender make(EtcdAddress address, Duration lease);
  }

  static final Map<String, Maker> BY_NAME =
      Map.of(JETCD, JetcdLockContender::new, RAW, EtcdTxnContender::new);

  private EtcdPeers() {}
}
