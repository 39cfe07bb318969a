package io.holdfast.rig.checks;

import io.holdfast.rig.history.Event;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.Op;
import io.holdfast.rig.history.Phase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The events of one claim, read from a history, with its process's faults. */
final class ClaimHistory {
  /** The instant of what has not happened. */
  static final long NEVER = Long.MAX_VALUE;

  private record Key(String lock, String hold) {}

  private final List<Event> events;
  private final List<Event> blows;

  private ClaimHistory(List<Event> events, List<Event> blows) {
    this.events = events;
    this.blows = blows;
  }

  /** All claims of a history by lock, each in the order of their first events. */
  static Map<String, List<ClaimHistory>> byLock(History history) {
    Map<String, List<Event>> blows = new HashMap<>();
    Map<Key, List<Event>> stories = new LinkedHashMap<>();
    for (Event event : history.events()) {
      if (event.op() == Op.KILLED || event.op() == Op.STALLED) {
        blows.computeIfAbsent(event.process(), p -> new ArrayList<>()).add(event);
      } else {
        Key key = new Key(event.lock(), event.hold());
        stories.computeIfAbsent(key, k -> new ArrayList<>()).add(event);
      }
    }
    Map<String, List<ClaimHistory>> claims = new TreeMap<>();
    stories.forEach(
        (key, story) ->
            claims
                .computeIfAbsent(key.lock(), l -> new ArrayList<>())
                .add(
                    new ClaimHistory(
                        story, blows.getOrDefault(story.get(0).process(), List.of()))));
    return claims;
  }

  List<Event> events() {
    return events;
  }

  String lock() {
    return events.get(0).lock();
  }

  String hold() {
    return events.get(0).hold();
  }

  int weight() {
    return events.get(0).weight();
  }

  Optional<Event> first(Op op, Phase phase) {
    return events.stream().filter(event -> event.is(op, phase)).findFirst();
  }

  Optional<Event> grant() {
    return first(Op.ACQUIRE, Phase.OK);
  }

  /** When that first happened, or {@link #NEVER}. */
  long at(Op op, Phase phase) {
    return first(op, phase).map(Event::nanos).orElse(NEVER);
  }

  /** When that first happened in whatever phase, or {@link #NEVER}. */
  long at(Op op) {
    return events.stream()
        .filter(event -> event.op() == op)
        .mapToLong(Event::nanos)
        .findFirst()
        .orElse(NEVER);
  }

  /** When its process was killed, or {@link #NEVER}. */
  long killedAt() {
    return blowAfter(Long.MIN_VALUE, Op.KILLED);
  }

  /** When its process was first paused or cut off at or after this instant, or {@link #NEVER}. */
  long stalledAfter(long nanos) {
    return blowAfter(nanos, Op.STALLED);
  }

  /** When it stopped being a live waiter for another reason than a grant, or {@link #NEVER}. */
  long gaveUpAt() {
    long asked = events.get(0).nanos();
    return Stream.of(
            at(Op.ACQUIRE, Phase.FAIL),
            at(Op.ACQUIRE, Phase.INFO),
            at(Op.LEAVE),
            killedAt(),
            stalledAfter(asked))
        .min(Comparator.naturalOrder())
        .orElse(NEVER);
  }

  /** The events of some claims by time, without the many times when the holder just looked. */
  static List<Event> evidence(ClaimHistory... claims) {
    return Stream.of(claims)
        .flatMap(claim -> Stream.of(claim.events, claim.blows).flatMap(Collection::stream))
        .filter(event -> event.op() != Op.HELD)
        .distinct()
        .sorted(Comparator.comparingLong(Event::nanos))
        .toList();
  }

  private long blowAfter(long nanos, Op op) {
    return blows.stream()
        .filter(blow -> blow.op() == op && blow.nanos() >= nanos)
        .mapToLong(Event::nanos)
        .findFirst()
        .orElse(NEVER);
  }

  @Override
  public String toString() {
    return events.get(0).process() + "/" + hold();
  }
}
