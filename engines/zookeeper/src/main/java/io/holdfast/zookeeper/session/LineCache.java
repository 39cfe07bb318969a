package io.holdfast.zookeeper.session;

import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.LineSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The last list of a line that any ticket of this client saw. Safe for several threads.
 *
 * <p>It contains the tickets of that list, less the tickets that have been seen to go since, and
 * counts this client's tickets in the line.
 *
 * <p>Why a ticket that is first here is first in the store, however old the list is and in whatever
 * order lists and signals arrive: a list that shows a ticket shows all tickets that are ahead of it
 * from then on, whatever server it came from, because places are assigned in the order of the
 * joins. A ticket that has gone never comes back. So the cache only misses that others have gone.
 */
public final class LineCache {

  private final Map<String, ChildName> parsed = new HashMap<>();
  private final Set<String> ticketNames = new LinkedHashSet<>();
  private final AtomicInteger ownTickets = new AtomicInteger();

  /** Counts one more ticket of this client. */
  LineCache addTicket() {
    ownTickets.incrementAndGet();
    return this;
  }

  /** Counts one ticket of this client less; returns whether any is left. */
  boolean removeTicket() {
    return ownTickets.decrementAndGet() > 0;
  }

  /** Returns whether more than one ticket of this client is in line. */
  public boolean isShared() {
    return ownTickets.get() > 1;
  }

  /**
   * Parses a list of the line and remembers it. Names of the last list are not parsed again, which
   * saves most of the work.
   */
  public synchronized LineSnapshot update(List<String> children) {
    List<ChildName> all = new ArrayList<>(children.size());
    for (String name : children) {
      ChildName before = parsed.get(name);
      all.add(before == null ? ChildName.parse(name) : before);
    }
    LineSnapshot snapshot = LineSnapshot.ofParsed(all);
    parsed.clear();
    all.forEach(child -> parsed.put(child.name(), child));
    ticketNames.clear();
    snapshot.tickets().forEach(ticket -> ticketNames.add(ticket.name()));
    return snapshot;
  }

  /** The node of this ticket was deleted. */
  public synchronized void markGone(String name) {
    ticketNames.remove(name);
  }

  /** Returns whether this ticket is in line and no ticket is ahead of it. */
  public synchronized boolean isFirst(String name) {
    return !ticketNames.isEmpty() && ticketNames.iterator().next().equals(name);
  }

  /** Returns the first ticket, as far as is known. */
  public synchronized Optional<String> first() {
    return ticketNames.stream().findFirst();
  }
}
