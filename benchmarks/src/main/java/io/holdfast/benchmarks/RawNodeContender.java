package io.holdfast.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/**
 * What everybody writes first, and the floor of a server: one ephemeral node, made and deleted, one
 * trip for each. Who does not get in asks again a little later.
 */
final class RawNodeContender implements Contender {

  private static final String ROOT = "/raw";
  private static final byte[] NOTHING = {};
  private static final long CONNECT_SECONDS = 10;

  private final String hosts;
  private final int sessionMillis;

  RawNodeContender(String hosts, int sessionMillis) {
    this.hosts = hosts;
    this.sessionMillis = sessionMillis;
  }

  @Override
  public String name() {
    return ZooKeeperPeers.RAW;
  }

  @Override
  public boolean acrossProcesses() {
    return true;
  }

  @Override
  public Session open(Path folder) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client = connect(connected);
    if (!connected.await(CONNECT_SECONDS, TimeUnit.SECONDS)) {
      client.close();
      throw new IllegalStateException("no connection to " + hosts);
    }
    try {
      String unused =
          client.create(ROOT, NOTHING, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    } catch (KeeperException.NodeExistsException e) {
      return new Connected(client);
    }
    return new Connected(client);
  }

  private ZooKeeper connect(CountDownLatch connected) throws IOException {
    return new ZooKeeper(
        hosts,
        sessionMillis,
        event -> {
          if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
            connected.countDown();
          }
        });
  }

  private record Connected(ZooKeeper client) implements Session, NodeCaller.Nodes {

    @Override
    public Caller caller() {
      return new NodeCaller(ROOT, this);
    }

    @Override
    public boolean make(String path) throws Exception {
      try {
        String unused =
            client.create(path, NOTHING, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        return true;
      } catch (KeeperException.NodeExistsException e) {
        return false;
      }
    }

    @Override
    public void delete(String path) throws Exception {
      client.delete(path, -1);
    }

    @Override
    public void close() throws InterruptedException {
      client.close();
    }
  }
}
