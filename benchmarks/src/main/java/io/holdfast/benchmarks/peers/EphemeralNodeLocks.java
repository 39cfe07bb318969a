package io.holdfast.benchmarks.peers;

import io.holdfast.cli.bench.Contender;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/**
 * The floor of ZooKeeper: one ephemeral node, created and deleted with one trip each.
 *
 * <p>The creator of the node holds the lock; waiters poll. Through ZooKeeper's client, or through
 * Curator's framework with requests in the background, which shows what the framework costs.
 */
final class EphemeralNodeLocks {

  private static final byte[] NO_DATA = {};
  private static final long CONNECT_SECONDS = 10;
  private static final long REPLY_SECONDS = 20;

  /** How nodes are created and deleted. */
  private interface Nodes {

    /** Creates a node; returns false if it exists. */
    boolean create(String path, CreateMode mode) throws Exception;

    /** Deletes a node; throws if it does not exist. */
    void delete(String path) throws Exception;
  }

  private EphemeralNodeLocks() {}

  static Contender.Session byZooKeeper(Peer.Target target) throws Exception {
    ZooKeeper client = connect(target);
    return session("/raw", new ZooKeeperNodes(client), client);
  }

  static Contender.Session byCurator(Peer.Target target) throws Exception {
    CuratorFramework client = CuratorLocks.connect(target);
    return session("/framework", new CuratorNodes(client), client);
  }

  private static Contender.Session session(String root, Nodes nodes, AutoCloseable client)
      throws Exception {
    boolean unused = nodes.create(root, CreateMode.PERSISTENT);
    return new PeerSession(
        () -> new PeerCaller<>(name -> take(nodes, root, name), nodes::delete), client);
  }

  private static String take(Nodes nodes, String root, String name) throws Exception {
    String path = root + "/" + name.replace('/', '-');
    PollingWait.until(() -> nodes.create(path, CreateMode.EPHEMERAL));
    return path;
  }

  private static ZooKeeper connect(Peer.Target target) throws Exception {
    String hosts = PeerAddresses.zooKeeperHosts(target.store());
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            hosts,
            target.sessionMillis(),
            event -> {
              if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    if (!connected.await(CONNECT_SECONDS, TimeUnit.SECONDS)) {
      client.close();
      throw new IllegalStateException("no connection to " + hosts);
    }
    return client;
  }

  private record ZooKeeperNodes(ZooKeeper client) implements Nodes {

    @Override
    public boolean create(String path, CreateMode mode) throws Exception {
      try {
        String unused = client.create(path, NO_DATA, ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
        return true;
      } catch (KeeperException.NodeExistsException e) {
        return false;
      }
    }

    @Override
    public void delete(String path) throws Exception {
      client.delete(path, -1);
    }
  }

  private record CuratorNodes(CuratorFramework client) implements Nodes {

    @Override
    public boolean create(String path, CreateMode mode) throws Exception {
      CompletableFuture<Integer> code = new CompletableFuture<>();
      client.create().withMode(mode).inBackground(completing(code)).forPath(path, NO_DATA);
      return isOk(code);
    }

    @Override
    public void delete(String path) throws Exception {
      CompletableFuture<Integer> code = new CompletableFuture<>();
      client.delete().inBackground(completing(code)).forPath(path);
      PeerCaller.requireHeld(isOk(code));
    }

    private static BackgroundCallback completing(CompletableFuture<Integer> code) {
      return (client, event) -> code.complete(event.getResultCode());
    }

    private static boolean isOk(CompletableFuture<Integer> code) throws Exception {
      return code.get(REPLY_SECONDS, TimeUnit.SECONDS) == KeeperException.Code.OK.intValue();
    }
  }
}
