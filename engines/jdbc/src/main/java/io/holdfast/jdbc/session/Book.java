package io.holdfast.jdbc.session;

import io.holdfast.jdbc.kept.LockName;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who holds what on one session. The server lets a session take its own locks again and again, so
 * that tickets of one client exclude each other here and nowhere else. For one thread at a time.
 */
final class Book {

  /** A ticket that is in. */
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

  /** The session shows that somebody waits for it. */
  void marked(Resource resource, LockName mark) {
    marks.put(resource, mark);
  }

  boolean isMarked(Resource resource) {
    return marks.containsKey(resource);
  }

  /** Takes the mark out of the book; null if there is none. */
  @Nullable LockName unmark(Resource resource) {
    return marks.remove(resource);
  }

  /** The generation that we have told the store of a namespace; 0 if none. */
  int generation(String namespace) {
    return generations.getOrDefault(namespace, 0);
  }

  void generation(String namespace, int told) {
    generations.put(namespace, told);
  }
}
