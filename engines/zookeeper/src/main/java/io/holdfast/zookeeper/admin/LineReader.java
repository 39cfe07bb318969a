package io.holdfast.zookeeper.admin;

import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.DoneMarks;
import io.holdfast.zookeeper.layout.LineSnapshot;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.TicketData;
import io.holdfast.zookeeper.layout.TicketNodes;
import io.holdfast.zookeeper.layout.TicketNodes.TicketNode;
import io.holdfast.zookeeper.session.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads whole lines, for operators. */
final class LineReader {

  /** A granted ticket and its node. */
  record Holder(
      ChildName.TicketName ticket,
      long token,
      boolean revoked,
      Optional<ChildName.Kept> kept,
      ZooKeeperConnection.Node node) {}

  private final Paths paths;

  LineReader(Paths paths) {
    this.paths = paths;
  }

  /** Returns the line; empty if no ticket is in it and no mark is on it. */
  CompletableFuture<Optional<LineView>> read(Session session, Resource resource) {
    ZooKeeperConnection connection = session.connection();
    String line = paths.line(resource);
    return snapshot(session, line)
        .thenCompose(
            snapshot ->
                TicketNodes.read(connection, line, snapshot.tickets())
                    .thenCombine(
                        DoneMarks.remaining(
                            connection, line, snapshot.marks(), session.storeMillis()),
                        (nodes, mark) -> view(session, resource, snapshot, nodes, mark)));
  }

  private static CompletableFuture<LineSnapshot> snapshot(Session session, String line) {
    return session
        .catchUp()
        .thenCompose(done -> session.connection().childrenOrNone(line))
        .thenApply(LineSnapshot::of);
  }

  private static Optional<LineView> view(
      Session session,
      Resource resource,
      LineSnapshot snapshot,
      List<TicketNode> all,
      Optional<Duration> mark) {
    long now = session.storeMillis();
    List<TicketNode> nodes = all.stream().filter(node -> !isOver(node, snapshot, now)).toList();
    if (nodes.isEmpty() && mark.isEmpty()) {
      return Optional.empty();
    }
    Shape shape = snapshot.shape().orElse(Shape.once());
    LineSnapshot.View line = snapshot.seenAs(shape);
    List<TicketView> views = new ArrayList<>();
    for (TicketNode node : nodes) {
      int index = line.indexOf(node.ticket().name());
      if (index >= 0) {
        views.add(ticketView(node, snapshot, isGranted(node, snapshot, line, index), now));
      }
    }
    return Optional.of(new LineView(resource, shape, views, mark));
  }

  /**
   * Places decide, unless the line was resized: then a ticket with others ahead of it records its
   * grant.
   */
  private static boolean isGranted(
      TicketNode node, LineSnapshot snapshot, LineSnapshot.View line, int index) {
    return node.grant().isGranted()
        || (line.isGranted(index) && (index == 0 || snapshot.lastResize().isEmpty()));
  }

  private static TicketView ticketView(
      TicketNode node, LineSnapshot snapshot, boolean granted, long now) {
    TicketData data = TicketData.parse(node.node().data());
    TicketView.State state =
        !granted
            ? TicketView.State.WAITING
            : snapshot.revocationOf(node.ticket().place()).isPresent()
                ? TicketView.State.REVOKED
                : TicketView.State.HOLDING;
    return new TicketView(
        state,
        data.owner(),
        granted ? TicketData.token(node.node()) : 0,
        snapshot.weight(node.ticket()),
        Duration.ofMillis(Math.max(0, now - node.node().stat().getCtime())),
        snapshot
            .keptAt(node.ticket().place())
            .map(record -> Duration.ofMillis(Math.max(0, keptFor(record, node, now))))
            .orElse(data.lease()));
  }

  /** The node of a kept mutex is as old as its record: both were created in one transaction. */
  private static long keptFor(ChildName.Kept record, TicketNode node, long now) {
    return record.keepMillis() - (now - node.node().stat().getCtime());
  }

  private static boolean isOver(TicketNode node, LineSnapshot snapshot, long now) {
    return snapshot
        .keptAt(node.ticket().place())
        .filter(record -> keptFor(record, node, now) <= 0)
        .isPresent();
  }

  /** Returns the granted tickets. */
  CompletableFuture<List<Holder>> holders(Session session, Resource resource) {
    String line = paths.line(resource);
    return snapshot(session, line)
        .thenCompose(
            snapshot -> {
              LineSnapshot.View view = snapshot.seenAs(snapshot.shape().orElse(Shape.once()));
              boolean resized = snapshot.lastResize().isPresent();
              int most = resized ? view.tickets().size() : view.granted();
              return TicketNodes.read(session.connection(), line, view.tickets().subList(0, most))
                  .thenApply(nodes -> holders(nodes, snapshot, view));
            });
  }

  private static List<Holder> holders(
      List<TicketNode> nodes, LineSnapshot snapshot, LineSnapshot.View view) {
    List<Holder> holders = new ArrayList<>();
    for (TicketNode node : nodes) {
      if (isGranted(node, snapshot, view, view.indexOf(node.ticket().name()))) {
        holders.add(
            new Holder(
                node.ticket(),
                TicketData.token(node.node()),
                snapshot.revocationOf(node.ticket().place()).isPresent(),
                snapshot.keptAt(node.ticket().place()),
                node.node()));
      }
    }
    return holders;
  }
}
