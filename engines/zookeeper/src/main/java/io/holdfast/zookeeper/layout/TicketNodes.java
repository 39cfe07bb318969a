package io.holdfast.zookeeper.layout;

import io.holdfast.spi.Standing.Holder;
import io.holdfast.zookeeper.connection.Futures;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;

/** Reads and removes the nodes of tickets, which may be gone at any time. */
public final class TicketNodes {

  /** A ticket and its node. */
  public record TicketNode(ChildName.TicketName ticket, ZooKeeperConnection.Node node) {

    /** Returns what the node says about the grant. */
    public RecordedGrant grant() {
      return TicketData.parse(node.data()).grant();
    }
  }

  private TicketNodes() {}

  /** Describes the holder of this node for a waiter; empty if the node cannot be read. */
  public static CompletableFuture<Optional<Holder>> holderAt(
      ZooKeeperConnection connection, String path) {
    return connection
        .read(path)
        .handle((node, failure) -> failure == null ? holderOf(node) : Optional.empty());
  }

  /** Describes the holder of this node for a waiter. */
  public static Optional<Holder> holderOf(ZooKeeperConnection.Node node) {
    TicketData data = TicketData.parse(node.data());
    return Optional.of(new Holder(data.owner(), TicketData.token(node), data.lease()));
  }

  /** Reads the nodes of tickets; nodes that are gone by now are left out. */
  public static CompletableFuture<List<TicketNode>> read(
      ZooKeeperConnection connection, String line, List<ChildName.TicketName> tickets) {
    List<CompletableFuture<Optional<TicketNode>>> all = new ArrayList<>();
    for (ChildName.TicketName ticket : tickets) {
      all.add(
          Futures.valueIf(
              connection
                  .read(line + "/" + ticket.name())
                  .thenApply(node -> Optional.of(new TicketNode(ticket, node))),
              Code.NONODE,
              Optional.empty()));
    }
    return Futures.all(all).thenApply(found -> found.stream().flatMap(Optional::stream).toList());
  }

  /** Removes these nodes; completes when they are gone. */
  public static CompletableFuture<?> remove(
      ZooKeeperConnection connection, String line, List<ChildName.TicketName> tickets) {
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (ChildName.TicketName ticket : tickets) {
      all.add(connection.deleteIfPresent(line + "/" + ticket.name()));
    }
    return Futures.all(all);
  }

  /**
   * Finds and removes all nodes of a ticket, except a mutex that stays without its client;
   * completes when they are gone.
   */
  public static CompletableFuture<?> removeAllOf(
      ZooKeeperConnection connection, String line, String ticketId) {
    return connection
        .childrenOrNone(line)
        .thenCompose(
            children ->
                remove(connection, line, LineSnapshot.of(children).removableNodesOf(ticketId)));
  }
}
