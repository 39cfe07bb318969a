package io.holdfast.zookeeper;

import io.holdfast.FenceGuard;
import io.holdfast.rig.faults.ServerFaultStore;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.spi.Resource;
import io.holdfast.zookeeper.layout.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** The servers of an ensemble for the fault kit. */
abstract class ZooKeeperFaultStore extends ServerFaultStore {

  /** Sessions may be as long as the longest lease of the kit. */
  static final ZooKeeperServerOptions OPTIONS =
      ZooKeeperServerOptions.PLAIN.with("maxSessionTimeout", "60000");

  private static final int SESSION_MILLIS = 20_000;
  private static final Paths PATHS = Paths.in("");

  private final List<ZooKeeperServer> members;

  ZooKeeperFaultStore(String name, List<ZooKeeperServer> members) {
    super(
        name,
        new ZooKeeperEngineProvider(),
        members.stream().map(ZooKeeperServer::process).toList(),
        ZooKeeperFaultStore::uri);
    this.members = members;
  }

  private static String uri(List<Integer> ports) {
    return ports.stream()
        .map(port -> "127.0.0.1:" + port)
        .collect(Collectors.joining(",", "zookeeper://", ""));
  }

  @Override
  public Duration lease() {
    return Engines.LEASE;
  }

  /** What an operator does with the store. */
  @FunctionalInterface
  private interface Operation<T> {
    T on(ZooKeeper operator) throws Exception;
  }

  private <T> T operate(Operation<T> operation) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper operator =
        new ZooKeeper(
            members.get(members.size() - 1).address(),
            SESSION_MILLIS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    try {
      if (!connected.await(SESSION_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("the operator is not connected");
      }
      return operation.on(operator);
    } finally {
      operator.close();
    }
  }

  /** All nodes below the namespace; its own node stays. */
  @Override
  public List<String> leftovers(String namespace) throws Exception {
    return operate(operator -> below(operator, PATHS.namespace(namespace)));
  }

  private static List<String> below(ZooKeeper operator, String path) throws Exception {
    List<String> all = new ArrayList<>();
    try {
      for (String child : operator.getChildren(path, false)) {
        all.add(path + "/" + child);
        all.addAll(below(operator, path + "/" + child));
      }
    } catch (KeeperException.NoNodeException e) {
      // It was removed meanwhile: nothing is left there.
      return all;
    }
    return all;
  }

  @Override
  public FenceGuard guard() {
    return ZooKeeperFenceGuard.connect(uri());
  }

  @Override
  public void deleteHeld(String namespace, String name) throws Exception {
    String line = PATHS.line(new Resource(namespace, name));
    operate(
        operator -> {
          String oldest =
              operator.getChildren(line, false).stream()
                  .filter(child -> child.startsWith("t-"))
                  .min(Comparator.comparing(ZooKeeperFaultStore::sequence))
                  .orElseThrow(() -> new AssertionError("no record of " + name));
          operator.delete(line + "/" + oldest, -1);
          return oldest;
        });
  }

  /** The store appends ten digits. */
  private static String sequence(String child) {
    return child.substring(child.length() - 10);
  }

  @Override
  public void close() {
    members.forEach(ZooKeeperServer::close);
  }
}
