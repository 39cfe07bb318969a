package io.holdfast.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Looks after tickets that are kept for long, in turn: one request with each beat, however many
 * there are. Safe for several threads.
 *
 * <p>A ticket that is kept listens to its line, so its renewals need no look of their own. That
 * signals come is not taken on trust. The store keeps with each line the number of the transaction
 * that last brought or took a child; as long as that is the one of the ticket's own look, nothing
 * has happened: its node is there, no operator has said a word, nobody has come to wait. If it is
 * another, the ticket's next renewal looks itself.
 */
final class Patrol {

  /** So many in one request, and not more of their paths: a server takes a megabyte. */
  private static final int MOST = 500;

  private static final int MOST_BYTES = 1 << 18;

  private final Books books;
  private final Queue<Spot> kept = new ConcurrentLinkedQueue<>();

  Patrol(Books books) {
    this.books = books;
  }

  /** It is kept for so long that it is worth to look after, until it is off. */
  void add(Spot spot) {
    kept.add(spot);
  }

  /** How many are looked after, or were until a moment ago. */
  int size() {
    return kept.size();
  }

  /**
   * Asks for those whose turn it is. Behind a beat, so that what was confirmed before it is seen on
   * whatever server. Does not block.
   */
  void walk(Session session) {
    List<Spot> round = next(session);
    if (round.isEmpty()) {
      return;
    }
    CompletableFuture<?> unused =
        session
            .wire()
            .changes(round.stream().map(spot -> spot.line).toList())
            .thenAccept(changes -> compare(round, changes));
  }

  /** Those that are off are forgotten; those that will look by themselves need no turn. */
  private List<Spot> next(Session session) {
    List<Spot> round = new ArrayList<>();
    int bytes = 0;
    for (int i = kept.size(); i > 0 && round.size() < MOST && bytes < MOST_BYTES; i--) {
      Spot spot = kept.poll();
      if (spot == null || !books.isOn(spot)) {
        continue;
      }
      kept.add(spot);
      if (spot.session == session && !spot.mustLook()) {
        round.add(spot);
        bytes += spot.line.getBytes(StandardCharsets.UTF_8).length;
      }
    }
    return round;
  }

  private static void compare(List<Spot> round, List<OptionalLong> changes) {
    for (int i = 0; i < round.size(); i++) {
      Spot spot = round.get(i);
      OptionalLong change = changes.get(i);
      if (change.isEmpty() || change.getAsLong() != spot.change()) {
        spot.suspect();
      }
    }
  }
}
