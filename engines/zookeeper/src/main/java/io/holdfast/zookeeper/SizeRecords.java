package io.holdfast.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/** How the records of resizes go. */
final class SizeRecords {

  /*
   * Tokens go by the last record: whoever gets in and sees it has the number of a write as its token,
   * so whoever joined before such a write must see it too. It goes when nobody is in line, and since
   * somebody may come between the list that shows this and the deletion, the deletion checks that
   * the line's data is as it was with the list: each join writes to it. The records that the list
   * showed go together, so that an older one is never there by itself, while somebody who saw a
   * later one is about to delete it.
   */

  private static final int TRIES = 3;

  private SizeRecords() {}

  /** Removes what counts no more in a line; answers whether none is left of those it saw. */
  static CompletableFuture<Boolean> sweep(Wire wire, String line) {
    return sweep(wire, line, TRIES);
  }

  private static CompletableFuture<Boolean> sweep(Wire wire, String line, int tries) {
    return wire.listed(line, null)
        .thenCompose(listed -> sweep(wire, line, listed))
        .exceptionallyCompose(
            failure ->
                // Somebody else was quicker with one of them.
                Words.code(failure) == Code.NONODE && tries > 0
                    ? sweep(wire, line, tries - 1)
                    : CompletableFuture.failedFuture(failure));
  }

  /**
   * Removes what counts no more.
   *
   * @param listed the line as it was seen
   */
  static CompletableFuture<Boolean> sweep(Wire wire, String line, Wire.Listed listed) {
    Roll roll = Roll.of(listed.names());
    if (!roll.seats().isEmpty()) {
      return removeOld(wire, line, roll).thenApply(done -> roll.resizes().isEmpty());
    }
    if (roll.resizes().isEmpty()) {
      return CompletableFuture.completedFuture(true);
    }
    List<Op> steps = new ArrayList<>();
    steps.add(Op.check(line, listed.version()));
    roll.resizes().forEach(each -> steps.add(Op.delete(line + "/" + each.name(), -1)));
    return Passing.then(
        wire.multi(steps),
        done -> CompletableFuture.completedFuture(true),
        failure ->
            // Somebody has come: whoever is last then takes them along.
            Words.code(failure) == Code.BADVERSION
                ? CompletableFuture.completedFuture(false)
                : CompletableFuture.failedFuture(failure));
  }

  /** Those before another one count for nobody, whoever comes or goes. */
  static CompletableFuture<?> removeOld(Wire wire, String line, Roll roll) {
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (Child.Resized old : roll.oldResizes()) {
      all.add(wire.remove(line + "/" + old.name()));
    }
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
  }
}
