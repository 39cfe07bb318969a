package io.holdfast.zookeeper.session;

import io.holdfast.spi.Ticket;
import io.holdfast.spi.support.DepartedTickets;
import io.holdfast.zookeeper.connection.Futures;
import io.holdfast.zookeeper.signals.HeldNodeWatches;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tickets of this client: the state of each, and the order of its verbs.
 *
 * <p>All verbs of a ticket pass through the client that owns its session, so the table is complete.
 * Safe for several threads.
 */
public final class TicketTable {

  /** A ticket that left while its join may still arrive. */
  public record PossibleLateJoin(Ticket.Id id, Session session, String line, long until) {}

  /**
   * Longer than one lease: what a late attempt created would not end with its lease, but with the
   * session.
   */
  private static final int DEPARTED_LEASES = 10;

  private static final int FIRST_LOOKS_BEFORE_HEARTBEAT = 100;

  private final HeldNodeWatches heldNodes;
  private final LongSupplier nanoTime;
  private final long leaseNanos;
  private final ConcurrentHashMap<Ticket.Id, TicketState> states = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, LineCache> lines = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Ticket.Id, CompletableFuture<?>> running =
      new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Ticket.Id, PossibleLateJoin> lateJoins =
      new ConcurrentHashMap<>();
  private final AtomicInteger firstLooks = new AtomicInteger(FIRST_LOOKS_BEFORE_HEARTBEAT);
  private final DepartedTickets departed;
  private final DepartedTickets settled;
  private final DepartedTickets lostWithSession;

  public TicketTable(LongSupplier nanoTime, long leaseNanos, HeldNodeWatches heldNodes) {
    this.heldNodes = heldNodes;
    this.nanoTime = nanoTime;
    this.leaseNanos = leaseNanos;
    this.departed = new DepartedTickets(nanoTime, DEPARTED_LEASES * leaseNanos);
    this.settled = new DepartedTickets(nanoTime, leaseNanos);
    this.lostWithSession = new DepartedTickets(nanoTime, leaseNanos);
  }

  public long now() {
    return nanoTime.getAsLong();
  }

  public long leaseNanos() {
    return leaseNanos;
  }

  /**
   * Returns the longest time until the next attempt of a waiter. The runtime, which polls every 500
   * ms or sooner, uses the smaller of the two.
   */
  public Duration retryAfter() {
    return Duration.ofNanos(leaseNanos / 3);
  }

  /** Returns what is known of a ticket; null if nothing is. */
  public @Nullable TicketState find(Ticket ticket) {
    return states.get(ticket.id());
  }

  /** Returns whether this is what is known of its ticket now. */
  public boolean isCurrent(TicketState state) {
    return states.get(state.id()) == state;
  }

  /** Adds the state of a ticket that is about to join; replaces an earlier one. */
  public TicketState add(Ticket ticket, Session session) {
    TicketState state = new TicketState(this, ticket, session, heldNodes);
    state.setLineCache(
        lines.compute(
            state.line(), (line, seen) -> (seen == null ? new LineCache() : seen).addTicket()));
    TicketState before = states.put(state.id(), state);
    if (before != null) {
      releaseLine(before);
    }
    return state;
  }

  public void remove(TicketState state) {
    if (states.remove(state.id(), state)) {
      releaseLine(state);
    }
    state.stopListening();
  }

  private void releaseLine(TicketState state) {
    lines.computeIfPresent(state.line(), (line, seen) -> seen.removeTicket() ? seen : null);
  }

  /** Returns the tickets that live on this session. */
  public List<TicketState> ofSession(Session session) {
    return states.values().stream().filter(state -> state.session() == session).toList();
  }

  public int size() {
    return states.size();
  }

  /** A ticket is granted: its first renewal looks, and listens to the line from then on. */
  public void markGranted(TicketState state) {
    boolean before = state.isGranted();
    if (!before) {
      // The signal that it waited for says nothing about what happens to it from now on.
      state.stopListening();
      state.suspect();
    }
    state.setPhase(TicketState.Phase.GRANTED);
    state.setLookedAt(now());
    if (!before) {
      heldNodes.add(state);
    }
  }

  /** Lets this many tickets make their first look until the next heartbeat. */
  void allowFirstLooks(int count) {
    firstLooks.set(count);
  }

  /** Takes one of the allowed first looks; returns false if none is left. */
  public boolean takeFirstLook() {
    return firstLooks.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  /** Refuses later attempts of a ticket that leaves. */
  public void markDeparted(Ticket ticket) {
    departed.add(ticket.id());
  }

  public boolean hasDeparted(Ticket ticket) {
    return departed.contains(ticket.id());
  }

  /** Remembers that a ticket was asked to become a mark. */
  public void markSettled(Ticket ticket) {
    settled.add(ticket.id());
  }

  public boolean hasSettled(Ticket ticket) {
    return settled.contains(ticket.id());
  }

  /** Removes a ticket that was lost with its session. */
  public void markLostWithSession(TicketState state) {
    lostWithSession.add(state.id());
    remove(state);
  }

  public boolean wasLostWithSession(Ticket ticket) {
    return lostWithSession.contains(ticket.id());
  }

  /**
   * Records that a join of this ticket may still arrive although no caller waits for it any more.
   */
  public void expectLateJoin(Ticket ticket, Session session, String line) {
    lateJoins.put(
        ticket.id(), new PossibleLateJoin(ticket.id(), session, line, now() + leaseNanos));
  }

  /** Joins that may still arrive and must be removed then. */
  public List<PossibleLateJoin> possibleLateJoins() {
    lateJoins.values().removeIf(late -> late.session.isOver());
    return List.copyOf(lateJoins.values());
  }

  /**
   * The store has shown, asked at this time, all nodes of a late join, and they are removed. Time
   * alone does not end the search: while the store is unreachable nothing is seen, and the session
   * may outlive that, with everything that arrived late.
   */
  void lateJoinRemoved(PossibleLateJoin late, long askedAt) {
    if (late.until - askedAt <= 0) {
      lateJoins.remove(late.id, late);
    }
  }

  /**
   * Runs a verb of a ticket when the one before it has ended, which its caller may have given up.
   */
  public <T> CompletableFuture<T> inTurn(Ticket ticket, Supplier<CompletableFuture<T>> verb) {
    CompletableFuture<T> mine = new CompletableFuture<>();
    CompletableFuture<?> before = running.put(ticket.id(), mine);
    if (before == null) {
      run(verb, mine);
    } else {
      CompletableFuture<?> unused = before.whenComplete((ignored, failure) -> run(verb, mine));
    }
    return mine.whenComplete((ignored, failure) -> running.remove(ticket.id(), mine));
  }

  /** Returns whether a verb of the ticket is running. */
  public boolean isBusy(Ticket ticket) {
    return running.containsKey(ticket.id());
  }

  private static <T> void run(Supplier<CompletableFuture<T>> verb, CompletableFuture<T> mine) {
    try {
      Futures.forward(verb.get(), mine);
    } catch (RuntimeException e) {
      mine.completeExceptionally(e);
    }
  }
}
