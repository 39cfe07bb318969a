package io.holdfast.benchmarks.peers;

import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.StoreKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A lock library, or a plain lock without one, that Holdfast is compared with.
 *
 * @param name in options and tables
 * @param stores kinds of stores that it works with, the default first; empty if it needs none
 * @param acrossProcesses whether it excludes other processes, not just threads of one
 * @param adapter connects to it
 */
record Peer(String name, List<StoreKind> stores, boolean acrossProcesses, Adapter adapter) {

  Peer {
    stores = List.copyOf(stores);
  }

  static Peer over(StoreKind store, String name, Adapter adapter) {
    return new Peer(name, List.of(store), /* acrossProcesses= */ true, adapter);
  }

  static Peer overDatabases(String name, Adapter adapter) {
    return new Peer(
        name, List.of(StoreKind.POSTGRES, StoreKind.MARIADB), /* acrossProcesses= */ true, adapter);
  }

  /** Connects to the library. */
  @FunctionalInterface
  interface Adapter {
    Contender.Session open(Target target) throws Exception;
  }

  /**
   * Where the locks go.
   *
   * @param store URI, empty if no store is needed; may contain secrets
   * @param lease for libraries that have leases
   * @param folder of the run, the same for all its processes
   */
  record Target(String store, Duration lease, Path folder) {

    /** Session timeout for ZooKeeper clients, which count in milliseconds. */
    int sessionMillis() {
      return Math.toIntExact(lease.toMillis());
    }
  }

  /**
   * Returns this peer over a store, without connecting it.
   *
   * @throws io.holdfast.cli.CliException if it does not work with such a store
   */
  Contender at(String store, Duration lease) {
    PeerAddresses.require(this, store);
    return new Contender() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public boolean acrossProcesses() {
        return acrossProcesses;
      }

      @Override
      public Session open(Path folder) throws Exception {
        return adapter.open(new Target(store, lease, folder));
      }
    };
  }
}
