package io.holdfast.torture;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the times in which more processes believed than fit together.
 *
 * <p>A belief lasts from the moment at which the call had returned to the last moment at which a
 * running thread went to look and then saw {@code isHeld()} true. Both ends are cautious: the grant
 * was made earlier, and the thread may have acted later. So every overlap found here is one, and a
 * stopped process, which cannot look, does not count.
 */
final class OverlapChecker {

  /**
   * Several that believed at once.
   *
   * @param start when one too many was in
   * @param end when it was over
   */
  record Overlap(String name, long start, long end, List<Call> holders) {
    Overlap {
      holders = List.copyOf(holders);
    }

    double millis() {
      return (end - start) / 1e6;
    }
  }

  private record Edge(long at, boolean begins, Call call) {}

  private OverlapChecker() {}

  /** All overlaps, in the order of their start. */
  static List<Overlap> check(Collection<Call> calls) {
    Map<TestedLock, List<Edge>> byLock = new HashMap<>();
    for (Call call : calls) {
      if (call.hasBelief()) {
        List<Edge> edges = byLock.computeIfAbsent(call.testedLock, c -> new ArrayList<>());
        edges.add(new Edge(call.granted, true, call));
        edges.add(new Edge(call.believed, false, call));
      }
    }
    List<Overlap> found = new ArrayList<>();
    byLock.forEach((testedLock, edges) -> sweep(testedLock, edges, found));
    found.sort(Comparator.comparingLong(Overlap::start));
    return found;
  }

  private static void sweep(TestedLock testedLock, List<Edge> edges, List<Overlap> found) {
    // At the same instant an end comes first: that is not an overlap.
    edges.sort(Comparator.comparingLong(Edge::at).thenComparing(Edge::begins));
    Set<Call> inside = new LinkedHashSet<>();
    Set<Call> involved = new LinkedHashSet<>();
    long start = 0;
    int weight = 0;
    for (Edge edge : edges) {
      boolean tooMany = weight > testedLock.capacity();
      int own = testedLock.weight(edge.call.exclusive);
      if (edge.begins) {
        inside.add(edge.call);
        weight += own;
      } else {
        inside.remove(edge.call);
        weight -= own;
      }
      if (weight > testedLock.capacity()) {
        if (!tooMany) {
          start = edge.at;
          involved.clear();
        }
        involved.addAll(inside);
      } else if (tooMany) {
        found.add(new Overlap(testedLock.name(), start, edge.at, List.copyOf(involved)));
      }
    }
  }
}
