package io.holdfast.simulation;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Wake;
import io.holdfast.spi.support.LineEntry;
import io.holdfast.spi.support.LineRules;
import io.holdfast.spi.support.LineState;
import io.holdfast.spi.support.LineStore;
import io.holdfast.spi.support.StoredLine;
import io.holdfast.spi.support.StoredLine.StoredTicket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The model of a store: the records of one line, and a clock of its own.
 *
 * <p>Its verbs are {@link LineRules} over records that are read before each verb and written after
 * it, as in a database. The planted bugs spoil the records or what the rules get to see of them.
 */
final class SimStore implements LockEngine, LineStore {

  private static final Duration RESERVE = Duration.ofMillis(5);
  private static final StoredLine NOTHING =
      new StoredLine(Shape.mutex(Order.ANY), 0, List.of(), null, null);

  private final SimEvents events;
  private final SimPlan plan;
  private final double rate;
  private final EngineTraits traits;
  private final LineRules rules;
  private final Map<Ticket.Id, Departure> departures = new HashMap<>();
  private final Map<Ticket.Id, Wake> wakes = new HashMap<>();
  private StoredLine stored = NOTHING;
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
            plan.signals() ? RESERVE : Duration.ZERO,
            Optional.empty());
    this.rules = new LineRules(new Refusals("sim:"), this, traits.reserve());
  }

  /** Its own clock. */
  long now() {
    return (long) (events.now() * rate);
  }

  /** Loses everything, as a server that restarts empty. */
  void forget() {
    stored = NOTHING;
    departures.clear();
    wakes.clear();
    forgotAt = events.now();
    counter = 0;
  }

  /** When it last lost its memory. */
  long forgotAt() {
    return forgotAt;
  }

  boolean isEmpty() {
    return snapshot().isEmpty();
  }

  /** The tickets in line. */
  List<StoredTicket> snapshot() {
    return stored.tickets().stream().filter(this::isAlive).toList();
  }

  /** The token of a ticket that is granted, or 0. */
  long tokenOf(Ticket ticket) {
    StoredTicket found = find(ticket.id());
    return found == null || !isAlive(found) ? 0 : found.token();
  }

  boolean isWaiting(Ticket.Id id) {
    StoredTicket found = find(id);
    return found != null && found.token() == 0 && found.expiry() > now();
  }

  String describe() {
    return snapshot().stream()
        .map(ticket -> ticket.id() + (ticket.token() == 0 ? " waiting" : " in"))
        .toList()
        .toString();
  }

  private @Nullable StoredTicket find(Ticket.Id id) {
    for (StoredTicket ticket : stored.tickets()) {
      if (ticket.id().equals(id)) {
        return ticket;
      }
    }
    return null;
  }

  private boolean isAlive(StoredTicket ticket) {
    boolean spared = plan.bug() == SimBug.DEAD_WAITER_STAYS && ticket.token() == 0;
    return spared || ticket.expiry() > now();
  }

  /** One transaction: reads the records, applies a verb, writes the records. */
  private interface Step<T> {
    T on(LineState line) throws EngineException;
  }

  private <T> T transact(Step<T> step) throws EngineException {
    if (plan.bug() == SimBug.DEAD_WAITER_STAYS) {
      rewrite(snapshot().stream().map(this::revived).toList());
    }
    LineState line = LineState.of(stored);
    rules.begin(line, now());
    try {
      return step.on(line);
    } finally {
      List<Runnable> signals = new ArrayList<>();
      rules.finish(line).forEach(waiter -> signals.add(signal(line, waiter)));
      stored = line.stored();
      signals.forEach(Runnable::run);
    }
  }

  /** Wakes a waiter; where signals report grants, it is granted for what its last attempt got. */
  private Runnable signal(LineState line, LineEntry waiter) {
    Wake wake = wakes.getOrDefault(waiter.id(), () -> {});
    if (!plan.grants() || !plan.signals() || plan.order() == Order.ANY) {
      return wake::wake;
    }
    long token = rules.grant(line, waiter, 0);
    wakes.remove(waiter.id());
    Duration lease = Duration.ofNanos(waiter.lease());
    Standing.Granted granted = new Standing.Granted(token, lease, line.isWanted());
    return () -> wake.granted(granted);
  }

  private void rewrite(List<StoredTicket> tickets) {
    stored =
        new StoredLine(
            stored.shape(), stored.lastPlace(), tickets, stored.mark(), stored.reservation());
  }

  private StoredTicket revived(StoredTicket ticket) {
    return ticket.expiry() > now() ? ticket : kept(ticket, ticket.token());
  }

  private StoredTicket kept(StoredTicket ticket, long token) {
    return new StoredTicket(
        ticket.id(),
        ticket.owner(),
        ticket.place(),
        ticket.joined(),
        ticket.weight(),
        ticket.lease(),
        now() + ticket.lease(),
        token,
        ticket.revoked());
  }

  @Override
  public Standing attempt(Ticket ticket, Wake wake) throws EngineException {
    return attempt(ticket, wake, stored.tickets());
  }

  /** An attempt that sees the line as another moment of the same transaction saw it. */
  Standing attempt(Ticket ticket, Wake wake, List<?> seen) throws EngineException {
    boolean isNew = find(ticket.id()) == null;
    long before = tokenOf(ticket);
    arm(ticket.id(), wake);
    Standing standing =
        transact(line -> spoil(line, ticket, rules.attempt(line, ticket, wake), seen));
    if (standing instanceof Standing.Granted granted) {
      wakes.remove(ticket.id());
      return before != 0 && plan.bug() == SimBug.REPEATED_ATTEMPT_MINTS
          ? mintAgain(ticket, granted)
          : granted;
    }
    if (isNew && plan.bug() == SimBug.LIFO_LINE) {
      moveToFront(ticket.id());
    }
    return standing;
  }

  private void arm(Ticket.Id id, Wake wake) {
    if (!plan.signals()) {
      return;
    }
    if (plan.bug() == SimBug.WATCH_WITHOUT_RECHECK) {
      events.after(events.between(0, 20 * SimEvents.MILLI), () -> wakes.put(id, wake));
    } else {
      wakes.put(id, wake);
    }
  }

  /** Grants a ticket that has to wait, if a bug is planted that does so. */
  private Standing spoil(LineState line, Ticket ticket, Standing standing, List<?> seen) {
    boolean fits =
        (plan.bug() == SimBug.CAPACITY_IGNORED && line.entries().size() <= 3)
            || (plan.bug() == SimBug.TWO_ATTEMPTS_IN_A_BATCH && seen.isEmpty());
    LineEntry waiter = line.find(ticket.id());
    if (!fits || waiter == null || waiter.isHolder()) {
      return standing;
    }
    long token = rules.grant(line, waiter, ticket.generation());
    return new Standing.Granted(token, ticket.lease(), line.isWanted());
  }

  private Standing.Granted mintAgain(Ticket ticket, Standing.Granted granted) {
    long token = mint(ticket.generation());
    rewrite(
        stored.tickets().stream()
            .map(each -> each.id().equals(ticket.id()) ? kept(each, token) : each)
            .toList());
    return new Standing.Granted(token, granted.validFor(), granted.wanted());
  }

  private void moveToFront(Ticket.Id id) {
    List<StoredTicket> tickets = new ArrayList<>(stored.tickets());
    StoredTicket last = find(id);
    if (last != null) {
      tickets.remove(last);
      tickets.add((int) tickets.stream().filter(each -> each.token() != 0).count(), last);
      rewrite(tickets);
    }
  }

  @Override
  public Renewal renew(Ticket ticket) throws EngineException {
    if (plan.bug() == SimBug.RENEWAL_RESURRECTS && find(ticket.id()) == null) {
      return resurrect(ticket);
    }
    return transact(line -> rules.renew(line, ticket));
  }

  private Renewal resurrect(Ticket ticket) {
    long lease = ticket.lease().toNanos();
    long token = mint(ticket.generation());
    long place = stored.lastPlace() + 1;
    List<StoredTicket> tickets = new ArrayList<>(stored.tickets());
    tickets.add(
        0,
        new StoredTicket(
            ticket.id(),
            ticket.owner(),
            place,
            now(),
            ticket.weight(),
            lease,
            now() + lease,
            token,
            null));
    stored = new StoredLine(ticket.shape(), place, tickets, null, stored.reservation());
    return new Renewal.Renewed(ticket.lease(), tickets.stream().anyMatch(t -> t.token() == 0));
  }

  @Override
  public Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
    departures.values().removeIf(departure -> departure.end() <= now());
    if (inDoubt) {
      departures.put(ticket.id(), new Departure(now() + ticket.lease().toNanos(), null));
    }
    wakes.remove(ticket.id());
    return transact(
        line -> {
          Left left = rules.leave(line, ticket);
          if (left == Left.NOTHING && plan.bug() == SimBug.RELEASE_WITHOUT_OWNER_CHECK) {
            line.entries().stream()
                .filter(LineEntry::isHolder)
                .forEach(holder -> rules.evict(line, holder));
          }
          return left;
        });
  }

  @Override
  public @Nullable Departure findDeparture(Ticket.Id id, long now) {
    Departure departure = departures.get(id);
    boolean counts = departure != null && departure.end() > now;
    return counts && plan.bug() != SimBug.LATE_ATTEMPT_JOINS ? departure : null;
  }

  @Override
  public int raiseGeneration(Ticket ticket) {
    return ticket.generation();
  }

  @Override
  public long mint(int generation) {
    long micros = plan.bug() == SimBug.TOKENS_FORGOTTEN ? 0 : now() / 1000;
    counter = Token.nextCounter(counter, micros);
    return Token.of(generation, counter);
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
