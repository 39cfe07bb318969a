package io.holdfast.zookeeper.connection;

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
 * The requests that the engine sends through one ZooKeeper client.
 *
 * <p>No method blocks. Requests leave in the order of the calls, over one connection, and their
 * futures complete in that order on the client's own thread. A failure is a {@link
 * KeeperException}; that of a transaction is the one of its first failed step.
 */
public record ZooKeeperConnection(ZooKeeper client, List<ACL> acl) {

  /** A node: its data and its metadata. */
  public static final class Node {
    private final byte[] data;
    private final Stat stat;

    public Node(byte[] data, Stat stat) {
      this.data = data;
      this.stat = stat;
    }

    public byte[] data() {
      return data;
    }

    public Stat stat() {
      return stat;
    }
  }

  /**
   * The children of a node at one moment.
   *
   * @param version of the node's data at that moment
   * @param lastChange the id of the transaction that last added or removed a child
   */
  public record ChildList(List<String> names, int version, long lastChange) {

    public static ChildList of(List<String> names, Stat stat) {
      return new ChildList(names, stat.getVersion(), stat.getPzxid());
    }
  }

  /** A node that was created. */
  public record Created(String path, Stat stat) {}

  private static final byte[] NOTHING = {};

  /** Returns the largest reply that the client accepts, in bytes. */
  public int maxReplyBytes() {
    return client
        .getClientConfig()
        .getInt(ZKConfig.JUTE_MAXBUFFER, ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT);
  }

  /** Creates a node. */
  public CompletableFuture<Created> create(String path, byte[] data, CreateMode mode) {
    CompletableFuture<Created> reply = new CompletableFuture<>();
    client.create(
        path,
        data,
        acl,
        mode,
        (int rc, String asked, @Nullable Object context, @Nullable String name, @Nullable Stat s) ->
            complete(reply, rc, asked, name == null || s == null ? null : new Created(name, s)),
        null);
    return reply;
  }

  /** Returns the step of a transaction that creates a node. */
  public Op createOp(String path, byte[] data, CreateMode mode) {
    return Op.create(path, data, acl, mode);
  }

  /** Deletes a node, whatever its version. */
  public CompletableFuture<Boolean> delete(String path) {
    CompletableFuture<Boolean> reply = new CompletableFuture<>();
    client.delete(path, -1, (rc, asked, context) -> complete(reply, rc, asked, true), null);
    return reply;
  }

  /** Deletes a node that may be gone; returns whether it was there. */
  public CompletableFuture<Boolean> deleteIfPresent(String path) {
    return Futures.valueIf(delete(path), Code.NONODE, false);
  }

  /** Writes a node if it has this version; -1 stands for any version. */
  public CompletableFuture<Stat> setData(String path, byte[] data, int version) {
    CompletableFuture<Stat> reply = new CompletableFuture<>();
    client.setData(
        path, data, version, (rc, asked, context, stat) -> complete(reply, rc, asked, stat), null);
    return reply;
  }

  /** Makes the connected server catch up with the leader. */
  public CompletableFuture<Boolean> sync(String path) {
    CompletableFuture<Boolean> reply = new CompletableFuture<>();
    client.sync(path, (rc, asked, context) -> complete(reply, rc, asked, true), null);
    return reply;
  }

  /** Reads a node. */
  public CompletableFuture<Node> read(String path) {
    return read(path, null);
  }

  /** Reads a node and leaves a watch there, if one is given. */
  public CompletableFuture<Node> read(String path, @Nullable Watcher watcher) {
    CompletableFuture<Node> reply = new CompletableFuture<>();
    client.getData(
        path,
        watcher,
        (int rc, String asked, Object context, byte[] data, Stat stat) ->
            complete(reply, rc, asked, stat == null ? null : new Node(bytes(data), stat)),
        null);
    return reply;
  }

  private static byte[] bytes(byte @Nullable [] data) {
    return data == null ? NOTHING : data;
  }

  /** Returns the metadata of a node; empty if the node is missing. */
  public CompletableFuture<Optional<Stat>> stat(String path) {
    CompletableFuture<Optional<Stat>> reply = new CompletableFuture<>();
    client.exists(
        path,
        false,
        (rc, asked, context, stat) -> {
          boolean missing = rc == Code.NONODE.intValue();
          complete(reply, missing ? 0 : rc, asked, Optional.ofNullable(missing ? null : stat));
        },
        null);
    return reply;
  }

  /** Returns the names of all children of a node; none if the node is missing. */
  public CompletableFuture<List<String>> childrenOrNone(String path) {
    return Futures.valueIf(children(path), Code.NONODE, List.of());
  }

  /** Returns the names of all children of a node. */
  public CompletableFuture<List<String>> children(String path) {
    CompletableFuture<List<String>> reply = new CompletableFuture<>();
    client.getChildren(
        path,
        null,
        (int rc, String asked, Object context, List<String> children) ->
            complete(reply, rc, asked, children),
        null);
    return reply;
  }

  /** Returns the children of a node with the version of the node at the same moment. */
  public CompletableFuture<ChildList> list(String path) {
    return list(path, null);
  }

  /** As {@link #list(String)}, and leaves a watch on the children. A failed request leaves none. */
  public CompletableFuture<ChildList> list(String path, @Nullable Watcher watcher) {
    CompletableFuture<ChildList> reply = new CompletableFuture<>();
    client.getChildren(
        path,
        watcher,
        (int rc, String asked, Object context, List<String> children, Stat stat) ->
            complete(reply, rc, asked, stat == null ? null : ChildList.of(children, stat)),
        null);
    return reply;
  }

  /**
   * Returns for each node the id of the transaction that last added or removed a child; empty for a
   * node that is missing or may not be read. One request.
   */
  public CompletableFuture<List<OptionalLong>> lastChildChanges(List<String> paths) {
    CompletableFuture<List<OptionalLong>> reply = new CompletableFuture<>();
    client.multi(
        paths.stream().map(Op::getData).toList(),
        // A missing node sets the code of the whole request, but the others are still read.
        (int rc, String asked, Object context, @Nullable List<OpResult> results) -> {
          boolean all = results != null && results.size() == paths.size();
          complete(reply, all ? 0 : rc, asked, all ? changesIn(results) : null);
        },
        null);
    return reply;
  }

  private static List<OptionalLong> changesIn(@Nullable List<OpResult> results) {
    return results == null ? List.of() : results.stream().map(ZooKeeperConnection::change).toList();
  }

  private static OptionalLong change(OpResult result) {
    return result instanceof OpResult.GetDataResult node
        ? OptionalLong.of(node.getStat().getPzxid())
        : OptionalLong.empty();
  }

  /** Executes all steps or none. */
  public CompletableFuture<List<OpResult>> transaction(List<Op> steps) {
    CompletableFuture<List<OpResult>> reply = new CompletableFuture<>();
    client.multi(steps, (rc, asked, context, results) -> complete(reply, rc, asked, results), null);
    return reply;
  }

  private static <T> void complete(
      CompletableFuture<T> reply, int rc, @Nullable String path, @Nullable T value) {
    if (rc == Code.OK.intValue() && value != null) {
      reply.complete(value);
    } else {
      Code code = Code.get(rc);
      reply.completeExceptionally(
          KeeperException.create(code == null ? Code.SYSTEMERROR : code, path));
    }
  }
}
