package io.holdfast.zookeeper.layout;

import io.holdfast.zookeeper.connection.Futures;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Marks of finished runs of {@code once}: nodes that belong to no session.
 *
 * <p>The age of a mark is measured by the store's clock alone.
 */
public final class DoneMarks {

  private DoneMarks() {}

  /**
   * Returns how long the longest-lived of these marks stays, and removes expired ones.
   *
   * @param nowMillis the time on the store's clock
   * @return empty if all have expired
   */
  public static CompletableFuture<Optional<Duration>> remaining(
      ZooKeeperConnection connection, String line, List<ChildName.DoneMark> marks, long nowMillis) {
    List<CompletableFuture<Long>> all = new ArrayList<>();
    for (ChildName.DoneMark mark : marks) {
      all.add(remaining(connection, line + "/" + mark.name(), mark.keepMillis(), nowMillis));
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
      ZooKeeperConnection connection, String path, long keepMillis, long nowMillis) {
    return connection
        .stat(path)
        .thenCompose(
            stat -> {
              long left = stat.map(each -> keepMillis - (nowMillis - each.getCtime())).orElse(0L);
              return left > 0
                  ? CompletableFuture.completedFuture(left)
                  : connection.deleteIfPresent(path).thenApply(gone -> 0L);
            });
  }
}
