package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The model of a store: one line, the atomic steps of the protocol, and a clock of its own. */
final class SimStore implements LockEngine {

  private static final long RESERVE = 5 * SimEvents.MILLI;

  private static final class Entry {
    final Ticket ticket;
    int weight;
    long expires;
    long token;
    Wake wake = () -> {};

    Entry(Ticket ticket) {
      this.ticket = ticket;
      this.weight = ticket.weight();
    }

    boolean granted() {
      return token != 0;
    }
  }

  private final SimEvents events;
  private final SimPlan plan;
  private final double rate;
  private final EngineTraits traits;
  private final List<Entry> line = new ArrayList<>();
  private final Map<Ticket.Id, Long> tombstones = new HashMap<>();
  private @Nullable Shape shape;
  private Ticket.@Nullable Id reservedFor;
  private long reservedUntil;
  private long counter;
  private long forgotAt = Long.MIN_VALUE;

  SimStore(SimEvents events, SimPlan plan) {
    this.events = events;
    this.plan = plan;
    this.rate = 1 + (events.random.nextInt(41) - 20) / 1000.0;
    this.traits =
        new EngineTraits(
            "sim:",
            EnumSet.of(Shape.Kind.MUTEX, Shape.Kind.SEMAPHORE, Shape.Kind.READ_WRITE),
            EnumSet.allOf(Order.class),
            plan.signals()
                ? Set.of(Guarantee.FENCING, Guarantee.SIGNALS)
                : Set.of(Guarantee.FENCING),
            /* blocking= */ true,
            2,
            16,
            plan.signals() ? Duration.ofNanos(RESERVE) : Duration.ZERO,
            Optional.empty());
  }

  /** Its own clock. */
  long now() {
    return (long) (events.now() * rate);
  }

  /** Loses everything, as a server that restarts empty. */
  void forget() {
    line.clear();
    tombstones.clear();
    shape = null;
    reservedFor = null;
    forgotAt = events.now();
    counter = 0;
  }

  /** When it last lost its memory. */
  long forgotAt() {
    return forgotAt;
  }

  boolean isEmpty() {
    evictDead();
    return line.isEmpty();
  }

  /** The token of a ticket that is in, or 0. */
  long tokenOf(Ticket ticket) {
    evictDead();
    Entry entry = find(ticket.id());
    return entry == null ? 0 : entry.token;
  }

  boolean isWaiting(Ticket.Id id) {
    Entry entry = find(id);
    return entry != null && !entry.granted() && entry.expires > now();
  }

  String describe() {
    return line.stream()
        .map(e -> e.ticket.id() + (e.granted() ? " in" : " waiting"))
        .toList()
        .toString();
  }

  @Override
  public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
    return attempt(ticket, wake, List.copyOf(line));
  }

  /** An attempt that sees the line as another moment of the same transaction saw it. */
  Standing attempt(Ticket ticket, Wake wake, List<?> seen) throws EngineException {
    evictDead();
    Long left = tombstones.get(ticket.id());
    if (left != null && left > now() && plan.bug() != SimBug.LATE_ATTEMPT_JOINS) {
      throw new EngineException.Refused("the ticket has left");
    }
    if (shape == null || line.isEmpty()) {
      shape = ticket.shape();
    }
    Entry entry = find(ticket.id());
    if (entry == null) {
      entry = new Entry(ticket);
      entry.expires = now() + ticket.lease().toNanos();
      if (plan.bug() == SimBug.LIFO_LINE) {
        line.add((int) line.stream().filter(Entry::granted).count(), entry);
      } else {
        line.add(entry);
      }
    }
    entry.expires = now() + ticket.lease().toNanos();
    boolean fits = plan.bug() == SimBug.TWO_ATTEMPTS_IN_A_BATCH && seen.isEmpty();
    if (entry.granted() || fits || isIn(entry)) {
      return grant(entry, ticket);
    }
    if (!ticket.waits()) {
      line.remove(entry);
    }
    arm(entry, wake);
    return new Standing.Waiting(
        line.indexOf(entry), Duration.ofNanos(holderLeft()), Optional.empty());
  }

  List<?> snapshot() {
    evictDead();
    return List.copyOf(line);
  }

  private void arm(Entry entry, Wake wake) {
    if (!plan.signals()) {
      return;
    }
    if (plan.bug() == SimBug.WATCH_WITHOUT_RECHECK) {
      events.after(events.between(0, 20 * SimEvents.MILLI), () -> entry.wake = wake);
    } else {
      entry.wake = wake;
    }
  }

  private Standing.Granted grant(Entry entry, Ticket ticket) {
    if (!entry.granted() || plan.bug() == SimBug.REPEATED_ATTEMPT_MINTS) {
      long micros = plan.bug() == SimBug.TOKENS_FORGOTTEN ? 0 : now() / 1000;
      counter = Token.nextCounter(counter, micros);
      entry.token = Token.of(ticket.generation(), counter);
    }
    entry.weight = Math.min(entry.weight, ticket.weight());
    reservedFor = null;
    return new Standing.Granted(entry.token, ticket.lease(), wanted());
  }

  private boolean wanted() {
    return line.stream().anyMatch(e -> !e.granted());
  }

  private boolean isIn(Entry entry) {
    if (plan.bug() == SimBug.CAPACITY_IGNORED && line.size() <= 3) {
      return true;
    }
    if (plan.order() == Order.ANY) {
      boolean taken = line.stream().anyMatch(Entry::granted);
      boolean reserved =
          reservedFor != null && reservedUntil > now() && !reservedFor.equals(entry.ticket.id());
      return !taken && !reserved;
    }
    long sum = 0;
    for (Entry ahead : line) {
      sum += ahead.weight;
      if (ahead == entry) {
        break;
      }
    }
    return sum <= entry.ticket.shape().capacity();
  }

  private long holderLeft() {
    long left = Long.MAX_VALUE;
    for (Entry entry : line) {
      if (entry.granted()) {
        left = Math.min(left, entry.expires - now());
      }
    }
    if (left == Long.MAX_VALUE) {
      left = reservedFor == null ? SimEvents.SECOND : reservedUntil - now();
    }
    return Math.max(left, SimEvents.MILLI);
  }

  private @Nullable Entry find(Ticket.Id id) {
    for (Entry entry : line) {
      if (entry.ticket.id().equals(id)) {
        return entry;
      }
    }
    return null;
  }

  private void evictDead() {
    boolean spareWaiters = plan.bug() == SimBug.DEAD_WAITER_STAYS;
    line.removeIf(e -> e.expires <= now() && (e.granted() || !spareWaiters));
    tombstones.values().removeIf(until -> until <= now());
  }

  @Override
  public Renewal renew(Ticket ticket) {
    if (plan.bug() == SimBug.RENEWAL_RESURRECTS && find(ticket.id()) == null) {
      Entry back = new Entry(ticket);
      back.expires = now() + ticket.lease().toNanos();
      counter = Token.nextCounter(counter, now() / 1000);
      back.token = Token.of(ticket.generation(), counter);
      line.add(0, back);
      return new Renewal.Renewed(ticket.lease(), wanted());
    }
    evictDead();
    Entry entry = find(ticket.id());
    if (entry == null || !entry.granted()) {
      return new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, "");
    }
    entry.expires = now() + ticket.lease().toNanos();
    return new Renewal.Renewed(ticket.lease(), wanted());
  }

  @Override
  public Left leave(Ticket ticket, boolean inDoubt) {
    evictDead();
    if (inDoubt) {
      tombstones.put(ticket.id(), now() + ticket.lease().toNanos());
    }
    Entry entry = find(ticket.id());
    if (entry == null && plan.bug() == SimBug.RELEASE_WITHOUT_OWNER_CHECK) {
      line.removeIf(Entry::granted);
    }
    if (entry == null) {
      return Left.NOTHING;
    }
    line.remove(entry);
    boolean hadTurn = entry.ticket.id().equals(reservedFor);
    if (plan.order() == Order.FIFO || entry.granted() || hadTurn) {
      signalNext();
    }
    return entry.granted() ? Left.HOLDING : Left.WAITING;
  }

  private void signalNext() {
    List<Wake> wakes = new ArrayList<>();
    if (plan.order() == Order.ANY) {
      boolean taken = line.stream().anyMatch(Entry::granted);
      reservedFor = null;
      if (!taken && !line.isEmpty()) {
        Entry first = line.get(0);
        if (plan.signals()) {
          reservedFor = first.ticket.id();
          reservedUntil = now() + RESERVE;
        }
        wakes.add(first.wake);
      }
    } else {
      line.stream().filter(e -> !e.granted() && isIn(e)).forEach(e -> wakes.add(call(e)));
    }
    wakes.forEach(Wake::wake);
  }

  /** Lets one in that waits, if signals say so, for what its last attempt was given. */
  private Wake call(Entry entry) {
    if (!plan.grants() || !plan.signals()) {
      return entry.wake;
    }
    Standing.Granted granted = grant(entry, entry.ticket);
    return () -> entry.wake.granted(granted);
  }

  @Override
  public boolean settle(Ticket ticket, Duration keep) throws EngineException {
    throw new EngineException.Refused("no marks here");
  }

  @Override
  public boolean resize(Ticket ticket) throws EngineException {
    throw new EngineException.Refused("no resizing here");
  }

  @Override
  public EngineTraits traits() {
    return traits;
  }

  @Override
  public void close() {}
}
