package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.dialect.LockName;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The holds on one session. The server lets a session take its own locks again, so tickets of one
 * client exclude each other here and nowhere else. Used by one thread at a time.
 */
final class SessionHolds {

  /** A granted ticket. */
  record Held(Ticket ticket, LockName lock, LockName wanted, long token) {}

  private final Map<Ticket.Id, Held> byTicket = new HashMap<>();
  private final Map<LockName, Held> byLock = new HashMap<>();
  private final Map<Resource, LockName> marks = new HashMap<>();
  private final Map<String, Integer> generations = new HashMap<>();

  void add(Held held) {
    byTicket.put(held.ticket.id(), held);
    byLock.put(held.lock, held);
  }

  void remove(Held held) {
    byTicket.remove(held.ticket.id());
    byLock.remove(held.lock);
  }

  @Nullable Held of(Ticket ticket) {
    return byTicket.get(ticket.id());
  }

  @Nullable Held of(LockName lock) {
    return byLock.get(lock);
  }

  Collection<Ticket.Id> tickets() {
    return byTicket.keySet();
  }

  /** The session has marked the resource as wanted. */
  void marked(Resource resource, LockName mark) {
    marks.put(resource, mark);
  }

  boolean isMarked(Resource resource) {
    return marks.containsKey(resource);
  }

  /** Removes and returns the mark; null if there is none. */
  @Nullable LockName unmark(Resource resource) {
    return marks.remove(resource);
  }

  /** Removes and returns the marks of all resources that are no longer wanted. */
  List<LockName> unmarkUnless(Predicate<Resource> isWanted) {
    List<LockName> removed = new ArrayList<>();
    marks
        .entrySet()
        .removeIf(mark -> !isWanted.test(mark.getKey()) && removed.add(mark.getValue()));
    return removed;
  }

  /** Returns the generation that was written to the store for a namespace; 0 if none. */
  int generation(String namespace) {
    return generations.getOrDefault(namespace, 0);
  }

  void generation(String namespace, int told) {
    generations.put(namespace, told);
  }
}
