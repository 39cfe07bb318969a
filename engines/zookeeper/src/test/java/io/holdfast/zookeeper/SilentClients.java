package io.holdfast.zookeeper;

import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.spi.LockEngine;
import io.holdfast.tck.conformance.EngineUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A store whose clients die without a word: each comes through proxies of its own, and a dead one's
 * fall silent with all connections open, as a machine without power does.
 */
final class SilentClients implements EngineUnderTest {

  private final List<ZooKeeperServer> servers;
  private final Duration lease;
  private final Map<LockEngine, List<FaultProxy>> proxies = new HashMap<>();
  private final List<FaultProxy> opened = new ArrayList<>();

  SilentClients(List<ZooKeeperServer> servers, Duration lease) {
    this.servers = servers;
    this.lease = lease;
  }

  @Override
  public synchronized LockEngine connect() {
    List<FaultProxy> through =
        servers.stream().map(server -> FaultProxy.to(server.process())).toList();
    opened.addAll(through);
    String hosts =
        through.stream().map(p -> "127.0.0.1:" + p.port()).collect(Collectors.joining(","));
    LockEngine engine =
        ZooKeeperEngine.open(
            ZooKeeperOptions.of("zookeeper://" + hosts + "/kit"),
            "zookeeper://kit",
            Engines.settings(lease));
    proxies.put(engine, through);
    return engine;
  }

  @Override
  public synchronized void kill(LockEngine engine) {
    List<FaultProxy> those = proxies.get(engine);
    if (those == null) {
      throw new IllegalArgumentException("not a client of this store");
    }
    those.forEach(FaultProxy::blackHole);
  }

  @Override
  public synchronized void close() {
    opened.forEach(FaultProxy::close);
  }
}
