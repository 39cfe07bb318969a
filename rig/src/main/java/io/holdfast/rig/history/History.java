package io.holdfast.rig.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * What several processes wrote, merged on one time axis. Immutable.
 *
 * @param events by time; those of one instant in the order in which they were given
 */
public record History(List<Event> events) {

  /** Sorts and copies the events. */
  public History {
    events = events.stream().sorted(Comparator.comparingLong(Event::nanos)).toList();
  }

  /** As {@link #read(Collection)}. */
  public static History read(Path... files) {
    return read(List.of(files));
  }

  /**
   * Reads and merges files of {@link HistoryWriter}s. A last line without an end is left out: its
   * writer was killed in the middle of it.
   *
   * @throws IllegalArgumentException when another line is damaged
   */
  public static History read(Collection<Path> files) {
    List<Event> events = new ArrayList<>();
    files.forEach(file -> events.addAll(eventsOf(file)));
    return new History(events);
  }

  /** When the last event happened; {@code Long.MIN_VALUE} if there is none. */
  public long end() {
    return events.isEmpty() ? Long.MIN_VALUE : events.get(events.size() - 1).nanos();
  }

  private static List<Event> eventsOf(Path file) {
    String text = text(file);
    List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      try {
        events.add(Event.parse(lines.get(i)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(file + ", line " + (i + 1) + " is damaged", e);
      }
    }
    return events;
  }

  private static String text(Path file) {
    try {
      // Lenient about characters: the torn line may end in the middle of one.
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
