package io.holdfast.benchmarks;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

/**
 * What {@link RawNodeContender} does, through Curator's framework, with requests in its background:
 * what the framework costs.
 */
final class FrameworkContender implements Contender {

  private static final String ROOT = "/framework";
  private static final byte[] NOTHING = {};
  private static final int CONNECT_MILLIS = 10_000;
  private static final long ANSWER_SECONDS = 20;

  private final String hosts;
  private final int sessionMillis;

  FrameworkContender(String hosts, int sessionMillis) {
    this.hosts = hosts;
    this.sessionMillis = sessionMillis;
  }

  @Override
  public String name() {
    return ZooKeeperPeers.FRAMEWORK;
  }

  @Override
  public boolean acrossProcesses() {
    return true;
  }

  @Override
  public Session open(Path folder) throws Exception {
    CuratorFramework client =
        CuratorFrameworkFactory.newClient(
            hosts, sessionMillis, CONNECT_MILLIS, new ExponentialBackoffRetry(100, 5));
    client.start();
    client.blockUntilConnected(CONNECT_MILLIS, TimeUnit.MILLISECONDS);
    try {
      client.create().withMode(CreateMode.PERSISTENT).forPath(ROOT, NOTHING);
    } catch (KeeperException.NodeExistsException e) {
      return new Connected(client);
    }
    return new Connected(client);
  }

  private record Connected(CuratorFramework client) implements Session, NodeCaller.Nodes {

    @Override
    public Caller caller() {
      return new NodeCaller(ROOT, this);
    }

    @Override
    public boolean make(String path) throws Exception {
      CompletableFuture<Integer> code = new CompletableFuture<>();
      client
          .create()
          .withMode(CreateMode.EPHEMERAL)
          .inBackground(completes(code))
          .forPath(path, NOTHING);
      return isDone(code);
    }

    @Override
    public void delete(String path) throws Exception {
      CompletableFuture<Integer> code = new CompletableFuture<>();
      client.delete().inBackground(completes(code)).forPath(path);
      if (!isDone(code)) {
        throw new IllegalStateException("somebody else deleted the node");
      }
    }

    @Override
    public void close() {
      client.close();
    }

    private static BackgroundCallback completes(CompletableFuture<Integer> code) {
      return (client, event) -> code.complete(event.getResultCode());
    }

    private static boolean isDone(CompletableFuture<Integer> code) throws Exception {
      return code.get(ANSWER_SECONDS, TimeUnit.SECONDS) == KeeperException.Code.OK.intValue();
    }
  }
}
