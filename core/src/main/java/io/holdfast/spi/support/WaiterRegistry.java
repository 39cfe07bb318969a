package io.holdfast.spi.support;

import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of one client, and the wake of each. Thread-safe.
 *
 * <p>Waiters are grouped by what their signals have in common: a channel, a resource, a path. An
 * engine arms a waiter before it sends the attempt (rule 2: arm, then look), removes it when the
 * ticket no longer waits, and calls one of the {@code wake} methods when the store signals:
 *
 * <ul>
 *   <li>{@link #find(long)} for a signal that names one waiter by its number. The number is no
 *       secret, so it may stand in the store and in messages; the ticket's id may not.
 *   <li>{@link #wake} for a signal to a whole group, or to certain places of it.
 *   <li>{@link #wakeAll} after signals may have been missed, such as after a reconnect.
 * </ul>
 *
 * <p>A waiter may be woken while its attempt is still under way. That is intended: the store may
 * have signalled between the attempt's execution and its reply.
 *
 * <p><b>Dead waiters.</b> A waiter whose ticket has not been armed for one lease is dropped,
 * because the store has forgotten the ticket by then. That covers callers that gave up while the
 * store was unreachable, whose leave never got a reply. {@link #arm} drops such waiters, at most
 * once a second; {@link #sweep} does it at once.
 *
 * <p>Wakes and the {@code onUnused} callback run with no lock held, on the thread that calls.
 *
 * @param <K> what groups the waiters; usable as a key of a hash map
 */
public final class WaiterRegistry<K> {

  /**
   * A waiter at its latest attempt. Immutable.
   *
   * @param number identifies the waiter within this registry, from 1; never used twice
   * @param attempt counts the attempts of this waiter, from 1; a signal that carries number and
   *     attempt can be matched to one attempt, as {@link Wake#granted} needs it
   * @param key the waiter's group
   * @param ticket as the latest attempt stated it
   * @param wake of the latest attempt
   */
  public record Armed<K>(long number, long attempt, K key, Ticket ticket, Wake wake) {}

  /** Also a link in the ring of its group, guarded by the atomic steps of {@link #byKey}. */
  private static final class Waiter<K> {
    volatile Armed<K> armed;
    Waiter<K> next = this;
    Waiter<K> previous = this;
    boolean isInGroup;

    /** When the store forgets the ticket, unless it is armed again. */
    volatile long until;

    /** The place in its line; 0 until it is known. */
    volatile long place;

    Waiter(Armed<K> armed, long until) {
      this.armed = armed;
      this.until = until;
    }

    /** Adds it to the ring, behind all others; returns the first one. */
    Waiter<K> enter(@Nullable Waiter<K> first) {
      isInGroup = true;
      if (first == null) {
        return this;
      }
      next = first;
      previous = first.previous;
      previous.next = this;
      first.previous = this;
      return first;
    }

    /** Takes it out of the ring; returns the first one of the others, or null. */
    @Nullable Waiter<K> exit(Waiter<K> first) {
      isInGroup = false;
      if (next == this) {
        return null;
      }
      previous.next = next;
      next.previous = previous;
      return first == this ? next : first;
    }
  }

  private static final long SWEEP_NANOS = 1_000_000_000L;

  private final LongSupplier nanoTime;
  private final Consumer<? super K> onUnused;
  private final ConcurrentHashMap<Ticket.Id, Waiter<K>> byTicket = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, Waiter<K>> byNumber = new ConcurrentHashMap<>();

  /** The first waiter of each group. Rings cost no map for a group of one, the usual case. */
  private final ConcurrentHashMap<K, Waiter<K>> byKey = new ConcurrentHashMap<>();

  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong sweptAt;

  /**
   * Creates an empty registry.
   *
   * @param nanoTime a monotonic clock, with any origin
   */
  public WaiterRegistry(LongSupplier nanoTime) {
    this(nanoTime, key -> {});
  }

  /**
   * Creates an empty registry that reports unused groups.
   *
   * @param nanoTime a monotonic clock, with any origin
   * @param onUnused receives the key of a group after its last waiter was removed or dropped, for
   *     example to end a subscription. A new waiter may have joined the group meanwhile: decide
   *     under a lock of your own, which the code that subscribes takes as well, by {@link
   *     #hasWaiters}
   */
  public WaiterRegistry(LongSupplier nanoTime, Consumer<? super K> onUnused) {
    this.nanoTime = nanoTime;
    this.onUnused = onUnused;
    this.sweptAt = new AtomicLong(nanoTime.getAsLong());
  }

  /**
   * Registers the ticket of an attempt that is about to be sent.
   *
   * <p>A ticket that is already registered keeps its number and its place; the new wake replaces
   * the old one, and its lease starts again.
   *
   * @return what identifies this attempt in signals
   */
  public Armed<K> arm(K key, Ticket ticket, Wake wake) {
    long now = nanoTime.getAsLong();
    sweepIfDue(now);
    Waiter<K> known = byTicket.get(ticket.id());
    if (known != null && !known.armed.key.equals(key)) {
      remove(ticket.id());
    }
    long until = now + ticket.lease().toNanos();
    Waiter<K> waiter =
        byTicket.compute(
            ticket.id(),
            (id, present) -> {
              if (present == null) {
                long number = numbers.incrementAndGet();
                return new Waiter<>(new Armed<>(number, 1, key, ticket, wake), until);
              }
              Armed<K> last = present.armed;
              present.armed = new Armed<>(last.number, last.attempt + 1, key, ticket, wake);
              present.until = until;
              return present;
            });
    Armed<K> armed = waiter.armed;
    if (armed.attempt == 1) {
      byNumber.put(armed.number, waiter);
      byKey.compute(key, (same, first) -> waiter.enter(first));
      if (byTicket.get(ticket.id()) != waiter) {
        // It was removed before it was in its group, so it is still there.
        forget(waiter);
      }
    }
    return armed;
  }

  /**
   * Sets the place of a waiter in its line, for {@link #wake(Object, Collection)}. Without effect
   * for a ticket that is not registered.
   */
  public void setPlace(Ticket.Id id, long place) {
    Waiter<K> waiter = byTicket.get(id);
    if (waiter != null) {
      waiter.place = place;
    }
  }

  /**
   * Removes a ticket that no longer waits: granted, left, refused.
   *
   * @return whether it was registered
   */
  public boolean remove(Ticket.Id id) {
    Waiter<K> waiter = byTicket.remove(id);
    if (waiter == null) {
      return false;
    }
    forget(waiter);
    return true;
  }

  private void forget(Waiter<K> waiter) {
    Armed<K> last = waiter.armed;
    byNumber.remove(last.number);
    boolean[] unused = new boolean[1];
    byKey.computeIfPresent(
        last.key,
        (key, first) -> {
          if (!waiter.isInGroup) {
            return first;
          }
          Waiter<K> left = waiter.exit(first);
          unused[0] = left == null;
          return left;
        });
    if (unused[0]) {
      onUnused.accept(last.key);
    }
  }

  /** Returns whether a ticket is registered. */
  public boolean contains(Ticket.Id id) {
    return byTicket.containsKey(id);
  }

  /** Returns the waiter of a ticket, or null if it is not registered. */
  public @Nullable Armed<K> find(Ticket.Id id) {
    return armed(byTicket.get(id));
  }

  /** Returns the waiter with a number, or null if there is none. */
  public @Nullable Armed<K> find(long number) {
    return armed(byNumber.get(number));
  }

  private static <K> @Nullable Armed<K> armed(@Nullable Waiter<K> waiter) {
    return waiter == null ? null : waiter.armed;
  }

  /** Returns whether a group has waiters. */
  public boolean hasWaiters(K key) {
    return byKey.containsKey(key);
  }

  /** Returns the groups that have waiters: a copy. */
  public List<K> keys() {
    return List.copyOf(byKey.keySet());
  }

  /** Returns whether there are no waiters at all. */
  public boolean isEmpty() {
    return byTicket.isEmpty();
  }

  /** Drops dead waiters and returns the number of the others. */
  public int size() {
    sweep();
    return byTicket.size();
  }

  /** Wakes the waiters of a group. */
  public void wake(K key) {
    wake(key, List.of());
  }

  /**
   * Wakes the waiters at certain places of a group, and those whose place is not known yet: the
   * signal may be meant for them.
   *
   * @param places if empty, the whole group is woken
   */
  public void wake(K key, Collection<Long> places) {
    if (!byKey.containsKey(key)) {
      return;
    }
    List<Waiter<K>> meant = new ArrayList<>();
    byKey.computeIfPresent(
        key,
        (same, first) -> {
          Waiter<K> waiter = first;
          do {
            long place = waiter.place;
            if (places.isEmpty() || place == 0 || places.contains(place)) {
              meant.add(waiter);
            }
            waiter = waiter.next;
          } while (waiter != first);
          return first;
        });
    meant.forEach(waiter -> waiter.armed.wake.wake());
  }

  /** Wakes every waiter: signals may have been missed. */
  public void wakeAll() {
    for (Waiter<K> waiter : byTicket.values()) {
      waiter.armed.wake.wake();
    }
  }

  /** Drops waiters that have not been armed for one lease. */
  public void sweep() {
    sweep(nanoTime.getAsLong());
  }

  private void sweepIfDue(long now) {
    long last = sweptAt.get();
    if (now - last >= SWEEP_NANOS && sweptAt.compareAndSet(last, now)) {
      sweep(now);
    }
  }

  private void sweep(long now) {
    byTicket.forEach(
        (id, waiter) -> {
          if (isDead(waiter, now) && removeIfDead(id, waiter, now)) {
            forget(waiter);
          }
        });
  }

  /** Atomic with {@link #arm}, so that no waiter is dropped that was armed just now. */
  private boolean removeIfDead(Ticket.Id id, Waiter<K> waiter, long now) {
    boolean[] removed = new boolean[1];
    byTicket.computeIfPresent(
        id,
        (same, present) -> {
          removed[0] = present == waiter && isDead(present, now);
          return removed[0] ? null : present;
        });
    return removed[0];
  }

  private static boolean isDead(Waiter<?> waiter, long now) {
    return now - waiter.until >= 0;
  }
}
