package io.holdfast.zookeeper.layout;

import io.holdfast.zookeeper.connection.Futures;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/** Removes records of resizes that no longer count. */
public final class ResizeRecords {

  /*
   * Tokens depend on the last record: a ticket that is granted while it is there takes the number
   * of a write as its token, so every ticket that joined before such a write must see the record
   * too. It is removed when no ticket is in line. A ticket may join between the list that shows
   * this and the deletion, so the deletion checks that the line's data has the version of that
   * list: each join writes to it. All records of the list are removed together, so that an older
   * one is never left alone while a client that saw a later one is about to delete it.
   */

  private static final int TRIES = 3;

  private ResizeRecords() {}

  /** Removes the records that no longer count; returns whether none of those it saw is left. */
  public static CompletableFuture<Boolean> sweep(ZooKeeperConnection connection, String line) {
    return sweep(connection, line, TRIES);
  }

  private static CompletableFuture<Boolean> sweep(
      ZooKeeperConnection connection, String line, int tries) {
    return Futures.then(
        connection.list(line).thenCompose(children -> sweep(connection, line, children)),
        CompletableFuture::completedFuture,
        failure ->
            // Another client has removed one of them.
            StoreErrors.code(failure) == Code.NONODE && tries > 0
                ? sweep(connection, line, tries - 1)
                : CompletableFuture.failedFuture(failure));
  }

  /**
   * Removes the records that no longer count.
   *
   * @param children the line as it was seen
   */
  public static CompletableFuture<Boolean> sweep(
      ZooKeeperConnection connection, String line, ZooKeeperConnection.ChildList children) {
    LineSnapshot snapshot = LineSnapshot.of(children.names());
    if (!snapshot.isEmpty()) {
      return removeReplaced(connection, line, snapshot)
          .thenApply(done -> snapshot.resizes().isEmpty());
    }
    if (snapshot.resizes().isEmpty()) {
      return CompletableFuture.completedFuture(true);
    }
    List<Op> steps = new ArrayList<>();
    steps.add(Op.check(line, children.version()));
    snapshot.resizes().forEach(each -> steps.add(Op.delete(line + "/" + each.name(), -1)));
    // If a ticket has joined, the last one to leave removes the records.
    return Futures.valueIf(
        connection.transaction(steps).thenApply(done -> true), Code.BADVERSION, false);
  }

  /** Removes the records that a later one replaced; these count for no ticket. */
  public static CompletableFuture<?> removeReplaced(
      ZooKeeperConnection connection, String line, LineSnapshot snapshot) {
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (ChildName.Resized old : snapshot.replacedResizes()) {
      all.add(connection.deleteIfPresent(line + "/" + old.name()));
    }
    return Futures.all(all);
  }
}
