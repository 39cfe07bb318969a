package io.holdfast.server.security;

import io.holdfast.server.settings.Limits;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Counts what each principal uses of this server, and says when it is too much. Thread-safe.
 *
 * <p>Renewals and releases are never turned away, nor counted: that would end holds. Each server
 * counts for itself; a principal that uses two of them has twice the room.
 */
public final class PrincipalLimits {

  private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(1);

  /** Above the limit this many times over, a connection is refused outright. */
  private static final int HARD = 2;

  private final Limits limits;
  private final LongSupplier nanoTime;
  private final Map<String, Use> uses = new ConcurrentHashMap<>();

  /** What one principal uses. */
  private static final class Use {
    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger queue = new AtomicInteger();
    // Guarded by itself: until when each ticket waits, if nobody asks for it again.
    final Map<Ticket.Id, Long> waiting = new HashMap<>();
    long swept = Long.MIN_VALUE;
  }

  /**
   * What a principal uses now.
   *
   * @param waiting tickets, among them those of dead clients until their lease has ended
   */
  record Usage(int connections, int waiting, int queue) {}

  public PrincipalLimits(Limits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  /**
   * Returns room for a WebSocket or an event stream. Above the limit the permit is for renewals and
   * releases alone, which {@link Permit#check} tells, and above twice the limit it is refused.
   */
  public Permit connection(Principal principal) {
    AtomicInteger connections = use(principal).connections;
    int now = connections.incrementAndGet();
    if (now <= limits.connections()) {
      return Permit.of(connections::decrementAndGet);
    }
    Refusal refusal = over(principal, "connections", "open connections", limits.connections());
    if (now <= (long) HARD * limits.connections()) {
      return Permit.onlyKeeping(refusal, connections::decrementAndGet);
    }
    connections.decrementAndGet();
    return Permit.refused(refusal);
  }

  /** Returns room for a verb or a call until it has a reply. */
  public Permit request(Principal principal, Call call) {
    if (call.isKeeping()) {
      return Permit.free();
    }
    AtomicInteger queue = use(principal).queue;
    if (queue.incrementAndGet() <= limits.queue()) {
      return Permit.of(queue::decrementAndGet);
    }
    queue.decrementAndGet();
    return Permit.refused(over(principal, "queue", "requests in progress", limits.queue()));
  }

  /**
   * Notes before an attempt that its ticket may have to wait, or returns why it may not. A ticket
   * that waits already keeps its place. A ticket counts until {@link #waitsNoMore}, or until its
   * lease ends without another attempt, as the store forgets it then.
   */
  public Optional<Refusal> waits(Principal principal, Ticket ticket) {
    if (!ticket.waits()) {
      return Optional.empty();
    }
    Use use = use(principal);
    long now = nanoTime.getAsLong();
    Map<Ticket.Id, Long> waiting = use.waiting;
    synchronized (waiting) {
      boolean isNew = !waiting.containsKey(ticket.id());
      if (isNew && waiting.size() >= limits.waiting()) {
        sweep(use, now);
      }
      if (isNew && waiting.size() >= limits.waiting()) {
        return Optional.of(over(principal, "waiting", "waiting tickets", limits.waiting()));
      }
      waiting.put(ticket.id(), now + ticket.lease().toNanos());
      return Optional.empty();
    }
  }

  /** Not at every refusal: a principal that is above its limit must not cost more than others. */
  private static void sweep(Use use, long now) {
    if (use.swept == Long.MIN_VALUE || now - use.swept >= SWEEP_INTERVAL.toNanos()) {
      use.swept = now;
      use.waiting.values().removeIf(until -> until - now <= 0);
    }
  }

  /** Notes that a ticket does not wait: it is granted, has left, or was refused. */
  public void waitsNoMore(Principal principal, Ticket ticket) {
    Map<Ticket.Id, Long> waiting = use(principal).waiting;
    synchronized (waiting) {
      waiting.remove(ticket.id());
    }
  }

  /** Returns the largest body of a request, in bytes. */
  public int maxBody() {
    return limits.body();
  }

  /** Returns what a principal uses now: for tests. */
  Usage usage(Principal principal) {
    Use use = use(principal);
    synchronized (use.waiting) {
      return new Usage(use.connections.get(), use.waiting.size(), use.queue.get());
    }
  }

  private Use use(Principal principal) {
    return uses.computeIfAbsent(principal.name(), name -> new Use());
  }

  private static Refusal over(Principal principal, String option, String what, int limit) {
    return Refusal.overloaded(
        principal + " has " + limit + " " + what + " at this server, which is the limit " + option);
  }
}
