package io.holdfast.zookeeper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the tickets of this client in one line know together: how many they are, and who stood in
 * the list that one of them saw last, less those that were seen to go since. Safe for several
 * threads.
 *
 * <p>A list that shows a ticket shows all that are ahead of it from then on, whatever server it
 * came from: places are given out in the order of the joins. Whoever has gone never comes again. So
 * a ticket that is first in here is first in the store too, however old the list is, and in
 * whatever order lists and signals come; what is missed here is only that others have gone.
 */
final class Sight {

  private final Map<String, Child> read = new HashMap<>();
  private final Set<String> names = new LinkedHashSet<>();
  private final AtomicInteger tickets = new AtomicInteger();

  /** One more of this client. */
  Sight plusOne() {
    tickets.incrementAndGet();
    return this;
  }

  /** One less; answers whether any is left. */
  boolean minusOne() {
    return tickets.decrementAndGet() > 0;
  }

  /** Whether more than one of this client is in line. */
  boolean isShared() {
    return tickets.get() > 1;
  }

  /**
   * Reads a list of the line. Most of its names were in the last one: those are not taken apart
   * again, which is most of the work.
   */
  synchronized Roll read(List<String> children) {
    List<Child> all = new ArrayList<>(children.size());
    for (String name : children) {
      Child before = read.get(name);
      all.add(before == null ? Child.of(name) : before);
    }
    Roll roll = Roll.ofAll(all);
    read.clear();
    all.forEach(child -> read.put(child.name(), child));
    names.clear();
    roll.seats().forEach(seat -> names.add(seat.name()));
    return roll;
  }

  /** This one was deleted. */
  synchronized void gone(String name) {
    names.remove(name);
  }

  /** Whether this one is there, and nobody ahead of it. */
  synchronized boolean isFirst(String name) {
    return !names.isEmpty() && names.iterator().next().equals(name);
  }

  /** Who is first, as far as is known. */
  synchronized Optional<String> first() {
    return names.stream().findFirst();
  }
}
