package io.holdfast.zookeeper.layout;

import io.holdfast.zookeeper.connection.Futures;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * Mutexes that stay taken without their clients: nodes that belong to no session, and a record of
 * the time next to each.
 *
 * <p>Their age is measured by the store's clock alone. Nothing ends them by itself: whoever looks
 * at the line after their time removes them.
 */
public final class KeptMutexes {

  private KeptMutexes() {}

  /**
   * Returns how long the longest-lived of them stays, and removes those whose time is over.
   *
   * @param nowMillis the time on the store's clock
   * @return empty if none is left
   */
  public static CompletableFuture<Optional<Duration>> remaining(
      ZooKeeperConnection connection, String line, LineSnapshot snapshot, long nowMillis) {
    List<CompletableFuture<Long>> all = new ArrayList<>();
    for (ChildName.Kept record : snapshot.kept()) {
      all.add(remaining(connection, line, snapshot, record, nowMillis));
    }
    return Futures.all(all)
        .thenApply(
            left ->
                left.stream()
                    .filter(millis -> millis > 0)
                    .max(Long::compare)
                    .map(Duration::ofMillis));
  }

  private static CompletableFuture<Long> remaining(
      ZooKeeperConnection connection,
      String line,
      LineSnapshot snapshot,
      ChildName.Kept record,
      long nowMillis) {
    String path = line + "/" + record.name();
    Optional<ChildName.TicketName> ticket = snapshot.ticketAt(record.place());
    if (ticket.isEmpty()) {
      // It was removed by hand.
      return connection.deleteIfPresent(path).thenApply(gone -> 0L);
    }
    return connection
        .stat(path)
        .thenCompose(
            stat -> {
              long left =
                  stat.map(each -> record.keepMillis() - (nowMillis - each.getCtime())).orElse(0L);
              return left > 0
                  ? CompletableFuture.completedFuture(left)
                  : remove(connection, line + "/" + ticket.get().name(), path);
            });
  }

  /** In one step, so that the node never stays without its record. */
  private static CompletableFuture<Long> remove(
      ZooKeeperConnection connection, String node, String record) {
    return Futures.valueIf(
        connection
            .transaction(List.of(Op.delete(node, -1), Op.delete(record, -1)))
            .thenApply(done -> 0L),
        Code.NONODE,
        0L);
  }
}
