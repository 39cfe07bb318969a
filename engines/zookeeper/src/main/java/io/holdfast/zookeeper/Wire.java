package io.holdfast.zookeeper;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a client that we use. None blocks: requests leave in the order of the calls, over
 * one connection, and are answered in that order, on the client's own thread. A failure is a {@link
 * KeeperException}, of a transaction the one of its first failed step.
 */
record Wire(ZooKeeper client, List<ACL> acl) {

  /** A node with what is in it. */
  static final class Node {
    private final byte[] data;
    private final Stat stat;

    Node(byte[] data, Stat stat) {
      this.data = data;
      this.stat = stat;
    }

    byte[] data() {
      return data;
    }

    Stat stat() {
      return stat;
    }
  }

  /**
   * The children of a node at one moment.
   *
   * @param version of the node's data then
   * @param change the number of the transaction that last brought or took a child
   */
  record Listed(List<String> names, int version, long change) {

    static Listed of(List<String> names, Stat stat) {
      return new Listed(names, stat.getVersion(), stat.getPzxid());
    }
  }

  /** A node that was made. */
  record Made(String path, Stat stat) {}

  private static final byte[] NOTHING = {};

  /** How long an answer may be that the client takes. */
  int mostBytes() {
    return client
        .getClientConfig()
        .getInt(ZKConfig.JUTE_MAXBUFFER, ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT);
  }

  CompletableFuture<Made> create(String path, byte[] data, CreateMode mode) {
    CompletableFuture<Made> answer = new CompletableFuture<>();
    client.create(
        path,
        data,
        acl,
        mode,
        (int rc, String asked, @Nullable Object context, @Nullable String name, @Nullable Stat s) ->
            answer(answer, rc, asked, name == null || s == null ? null : new Made(name, s)),
        null);
    return answer;
  }

  Op creates(String path, byte[] data, CreateMode mode) {
    return Op.create(path, data, acl, mode);
  }

  CompletableFuture<Boolean> delete(String path) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    client.delete(path, -1, (rc, asked, context) -> answer(answer, rc, asked, true), null);
    return answer;
  }

  /** Deletes a node that may be gone; answers whether it was there. */
  CompletableFuture<Boolean> remove(String path) {
    return delete(path)
        .exceptionallyCompose(
            failure ->
                Words.code(failure) == Code.NONODE
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }

  CompletableFuture<Stat> setData(String path, byte[] data, int version) {
    CompletableFuture<Stat> answer = new CompletableFuture<>();
    client.setData(
        path, data, version, (rc, asked, context, stat) -> answer(answer, rc, asked, stat), null);
    return answer;
  }

  /** The server that we are connected to catches up with the leader. */
  CompletableFuture<Boolean> sync(String path) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    client.sync(path, (rc, asked, context) -> answer(answer, rc, asked, true), null);
    return answer;
  }

  CompletableFuture<Node> data(String path, @Nullable Watcher watcher) {
    CompletableFuture<Node> answer = new CompletableFuture<>();
    client.getData(
        path,
        watcher,
        (int rc, String asked, Object context, byte[] data, Stat stat) ->
            answer(answer, rc, asked, stat == null ? null : new Node(bytes(data), stat)),
        null);
    return answer;
  }

  private static byte[] bytes(byte @Nullable [] data) {
    return data == null ? NOTHING : data;
  }

  CompletableFuture<Optional<Stat>> exists(String path) {
    CompletableFuture<Optional<Stat>> answer = new CompletableFuture<>();
    client.exists(
        path,
        false,
        (rc, asked, context, stat) -> {
          boolean missing = rc == Code.NONODE.intValue();
          answer(answer, missing ? 0 : rc, asked, Optional.ofNullable(missing ? null : stat));
        },
        null);
    return answer;
  }

  CompletableFuture<List<String>> children(String path, @Nullable Watcher watcher) {
    CompletableFuture<List<String>> answer = new CompletableFuture<>();
    client.getChildren(
        path,
        watcher,
        (int rc, String asked, Object context, List<String> children) ->
            answer(answer, rc, asked, children),
        null);
    return answer;
  }

  /** The children, and what is known of the node itself at that moment. */
  CompletableFuture<Listed> listed(String path, @Nullable Watcher watcher) {
    CompletableFuture<Listed> answer = new CompletableFuture<>();
    client.getChildren(
        path,
        watcher,
        (int rc, String asked, Object context, List<String> children, Stat stat) ->
            answer(answer, rc, asked, stat == null ? null : Listed.of(children, stat)),
        null);
    return answer;
  }

  /**
   * For each of many nodes the number of the transaction that last brought or took a child; empty
   * for one that is not there or may not be read. One request.
   */
  CompletableFuture<List<OptionalLong>> changes(List<String> paths) {
    CompletableFuture<List<OptionalLong>> answer = new CompletableFuture<>();
    client.multi(
        paths.stream().map(Op::getData).toList(),
        // One that is not there makes the whole look failed, but all the others are answered.
        (int rc, String asked, Object context, @Nullable List<OpResult> results) -> {
          boolean all = results != null && results.size() == paths.size();
          answer(answer, all ? 0 : rc, asked, all ? changesIn(results) : null);
        },
        null);
    return answer;
  }

  private static List<OptionalLong> changesIn(@Nullable List<OpResult> results) {
    return results == null ? List.of() : results.stream().map(Wire::change).toList();
  }

  private static OptionalLong change(OpResult result) {
    return result instanceof OpResult.GetDataResult node
        ? OptionalLong.of(node.getStat().getPzxid())
        : OptionalLong.empty();
  }

  /** All steps or none. */
  CompletableFuture<List<OpResult>> multi(List<Op> steps) {
    CompletableFuture<List<OpResult>> answer = new CompletableFuture<>();
    client.multi(steps, (rc, asked, context, results) -> answer(answer, rc, asked, results), null);
    return answer;
  }

  private static <T> void answer(
      CompletableFuture<T> answer, int rc, @Nullable String path, @Nullable T value) {
    if (rc == Code.OK.intValue() && value != null) {
      answer.complete(value);
    } else {
      Code code = Code.get(rc);
      answer.completeExceptionally(
          KeeperException.create(code == null ? Code.SYSTEMERROR : code, path));
    }
  }
}
