package io.holdfast.rig.checks;

import io.holdfast.rig.history.Event;
import java.util.List;
import java.util.Locale;

/**
 * One thing that must not have happened.
 *
 * @param rule a short name of the broken rule
 * @param what one sentence with the names and the figures
 * @param evidence the events that prove it, by time
 */
public record Violation(String rule, String what, List<Event> evidence) {

  /** Copies the list. */
  public Violation {
    evidence = List.copyOf(evidence);
  }

  /** The sentence, and below it the events with times relative to the first of them. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(rule).append(": ").append(what);
    long origin = evidence.isEmpty() ? 0 : evidence.get(0).nanos();
    for (Event event : evidence) {
      text.append("\n    ").append(line(event, origin));
    }
    return text.toString();
  }

  private static String line(Event event, long origin) {
    String line =
        "%s  %s %s %s \"%s\" hold=%s"
            .formatted(
                millis(event.nanos() - origin),
                event.process(),
                event.op(),
                event.phase(),
                event.lock(),
                event.hold());
    if (event.token() != Event.NO_TOKEN) {
      line += " token=" + event.token();
    }
    if (event.deadline() != Event.NO_DEADLINE) {
      line += " deadline=" + millis(event.deadline() - origin);
    }
    return event.weight() == 1 ? line : line + " weight=" + event.weight();
  }

  /** A duration as text. */
  static String millis(long nanos) {
    return String.format(Locale.ROOT, "%+.3f ms", nanos / 1e6);
  }
}
