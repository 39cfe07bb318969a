package io.holdfast.zookeeper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the tickets of this client in one line share: their number, and the parsed names of the last
 * list. Nothing is granted by it. Safe for several threads.
 */
final class Sight {

  private final Map<String, Child> read = new HashMap<>();
  private final AtomicInteger tickets = new AtomicInteger();
  private Optional<String> first = Optional.empty();

  /** One more of this client. */
  Sight plusOne() {
    tickets.incrementAndGet();
    return this;
  }

  /** One less; returns whether any is left. */
  boolean minusOne() {
    return tickets.decrementAndGet() > 0;
  }

  /** Whether more than one of this client is in line. */
  boolean isShared() {
    return tickets.get() > 1;
  }

  /**
   * Reads a list of the line. Most of its names were in the last one: those are not parsed again,
   * which is most of the work.
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
    first = roll.seats().stream().map(Child.Seat::name).findFirst();
    return roll;
  }

  /** The first ticket of the last list, which may have left since. */
  synchronized Optional<String> first() {
    return first;
  }
}
