package io.holdfast.zookeeper;

import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What this client knows of its tickets: all of their verbs pass through it, as they live on its
 * session. Safe for several threads.
 */
final class Books {

  /** A ticket that left while a request of its own may still arrive. */
  record Doubt(Ticket.Id id, Session session, String line, long until) {}

  /**
   * For longer than one lease: what a late attempt brought would not end with its lease, but with
   * the session.
   */
  private static final int DEPARTED_LEASES = 10;

  private final HeldNodes heldNodes;
  private final LongSupplier nanoTime;
  private final long leaseNanos;
  private final ConcurrentHashMap<Ticket.Id, Spot> spots = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Sight> lines = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Ticket.Id, CompletableFuture<?>> busy = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Ticket.Id, Doubt> doubts = new ConcurrentHashMap<>();
  private final AtomicInteger looks = new AtomicInteger(100);
  private final Departed departed;
  private final Departed settled;
  private final Departed ended;

  Books(LongSupplier nanoTime, long leaseNanos, HeldNodes heldNodes) {
    this.heldNodes = heldNodes;
    this.nanoTime = nanoTime;
    this.leaseNanos = leaseNanos;
    this.departed = new Departed(nanoTime, DEPARTED_LEASES * leaseNanos);
    this.settled = new Departed(nanoTime, leaseNanos);
    this.ended = new Departed(nanoTime, leaseNanos);
  }

  long now() {
    return nanoTime.getAsLong();
  }

  long leaseNanos() {
    return leaseNanos;
  }

  /** After this time one that waits asks again at the latest. */
  Duration askAgain() {
    return Duration.ofNanos(leaseNanos / 3);
  }

  @Nullable Spot spot(Ticket ticket) {
    return spots.get(ticket.id());
  }

  /** Whether it is what is known of its ticket now. */
  boolean isOn(Spot spot) {
    return spots.get(spot.id) == spot;
  }

  void put(Spot spot) {
    spot.sight =
        lines.compute(spot.line, (line, seen) -> (seen == null ? new Sight() : seen).plusOne());
    Spot before = spots.put(spot.id, spot);
    if (before != null) {
      isOff(before);
    }
  }

  void remove(Spot spot) {
    if (spots.remove(spot.id, spot)) {
      isOff(spot);
    }
    spot.forgetBell();
  }

  private void isOff(Spot spot) {
    lines.computeIfPresent(spot.line, (line, seen) -> seen.minusOne() ? seen : null);
  }

  /** What is known of those that live on that session. */
  List<Spot> of(Session session) {
    return spots.values().stream().filter(spot -> spot.session == session).toList();
  }

  int size() {
    return spots.size();
  }

  /** A ticket of this client that is about to join. */
  Spot newSpot(Ticket ticket, Session session) {
    return new Spot(ticket, session, session.namespaces().line(ticket), heldNodes::changed);
  }

  /** It is in: its first renewal looks, and listens to the line from then on. */
  void isIn(Spot spot) {
    boolean before = spot.phase == Spot.Phase.IN;
    if (!before) {
      // What it waited for says nothing of what happens to it from here on.
      spot.forgetBell();
      spot.suspect();
    }
    spot.phase = Spot.Phase.IN;
    spot.lookedAt = now();
    if (!before) {
      heldNodes.add(spot);
    }
  }

  /** Until the next beat, so many may look for the first time since they are in. */
  void allowLooks(int most) {
    looks.set(most);
  }

  /** Whether a first renewal may look at the store; if not, another does. */
  boolean mayLook() {
    return looks.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  void departed(Ticket ticket) {
    departed.add(ticket.id());
  }

  boolean hasDeparted(Ticket ticket) {
    return departed.contains(ticket.id());
  }

  void settled(Ticket ticket) {
    settled.add(ticket.id());
  }

  boolean hasSettled(Ticket ticket) {
    return settled.contains(ticket.id());
  }

  /** It went with its session. */
  void ended(Spot spot) {
    ended.add(spot.id);
    remove(spot);
  }

  boolean hasEnded(Ticket ticket) {
    return ended.contains(ticket.id());
  }

  void doubts(Ticket ticket, Session session, String line) {
    doubts.put(ticket.id(), new Doubt(ticket.id(), session, line, now() + leaseNanos));
  }

  /** Those that a late request may bring back. */
  List<Doubt> doubts() {
    doubts.values().removeIf(doubt -> doubt.session.isOver());
    return List.copyOf(doubts.values());
  }

  /**
   * The store has shown, asked at that time, what there is of one in doubt, and it is gone. Time
   * alone does not end a doubt: while the store is unreachable nobody looks, and the session, with
   * all that came late, may be there afterwards.
   */
  void swept(Doubt doubt, long asked) {
    if (doubt.until - asked <= 0) {
      doubts.remove(doubt.id, doubt);
    }
  }

  /** Runs a verb of a ticket when the one before has ended, which may have been given up. */
  <T> CompletableFuture<T> inTurn(Ticket ticket, Supplier<CompletableFuture<T>> verb) {
    CompletableFuture<T> mine = new CompletableFuture<>();
    CompletableFuture<?> before = busy.put(ticket.id(), mine);
    if (before == null) {
      run(verb, mine);
    } else {
      CompletableFuture<?> unused = before.whenComplete((ignored, failure) -> run(verb, mine));
    }
    return mine.whenComplete((ignored, failure) -> busy.remove(ticket.id(), mine));
  }

  /** Whether a verb of the ticket is under way. */
  boolean isBusy(Ticket ticket) {
    return busy.containsKey(ticket.id());
  }

  private static <T> void run(Supplier<CompletableFuture<T>> verb, CompletableFuture<T> mine) {
    try {
      Passing.on(verb.get(), mine);
    } catch (RuntimeException e) {
      mine.completeExceptionally(e);
    }
  }
}
