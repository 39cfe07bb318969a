package io.holdfast.zookeeper.session;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Checks long-held tickets in turn, one request with each heartbeat. Safe for several threads.
 *
 * <p>A ticket that is held for long listens to its line, so its renewals need no look of their own.
 * Lost signals are found here: the store keeps for each line the id of the transaction that last
 * added or removed a child. If the ticket has seen that transaction, nothing has happened: its node
 * is there, no operator has revoked it, no waiter has come. Otherwise the ticket's next renewal
 * looks at the line.
 */
public final class HeldLockScan {

  /** The largest number of tickets in one request. */
  private static final int MAX_TICKETS = 500;

  /** The largest size of their paths in one request: a server accepts a megabyte. */
  private static final int MAX_BYTES = 1 << 18;

  private final TicketTable tickets;
  private final Queue<TicketState> held = new ConcurrentLinkedQueue<>();

  public HeldLockScan(TicketTable tickets) {
    this.tickets = tickets;
  }

  /** Adds a ticket until it leaves; without effect if it was added before. */
  public void add(TicketState state) {
    if (!state.isScanned()) {
      state.setScanned();
      held.add(state);
    }
  }

  /** Returns how many tickets are checked; some of them may just have left. */
  public int size() {
    return held.size();
  }

  /**
   * Checks the next tickets. The request is sent behind a heartbeat, so it sees everything that was
   * confirmed before, on any server. Does not block.
   */
  void scan(Session session) {
    List<TicketState> round = next(session);
    if (round.isEmpty()) {
      return;
    }
    CompletableFuture<?> unused =
        session
            .connection()
            .lastChildChanges(round.stream().map(TicketState::line).toList())
            .thenAccept(changes -> compare(round, changes));
  }

  /** Forgets tickets that have left; skips those whose next renewal looks anyway. */
  private List<TicketState> next(Session session) {
    List<TicketState> round = new ArrayList<>();
    int bytes = 0;
    for (int i = held.size(); i > 0 && round.size() < MAX_TICKETS && bytes < MAX_BYTES; i--) {
      TicketState state = held.poll();
      if (state == null || !tickets.isCurrent(state)) {
        continue;
      }
      held.add(state);
      if (state.session() == session && !state.mustLook()) {
        round.add(state);
        bytes += state.line().getBytes(StandardCharsets.UTF_8).length;
      }
    }
    return round;
  }

  private static void compare(List<TicketState> round, List<OptionalLong> changes) {
    for (int i = 0; i < round.size(); i++) {
      TicketState state = round.get(i);
      OptionalLong change = changes.get(i);
      if (change.isEmpty() || change.getAsLong() != state.seenChange()) {
        state.suspect();
      }
    }
  }
}
