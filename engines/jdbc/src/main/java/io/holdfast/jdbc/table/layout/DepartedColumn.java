package io.holdfast.jdbc.table.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The departed tickets of a resource, which left in doubt or were evicted.
 *
 * <p>They are kept in a column of the resource's own row: a grant checks the newest version of that
 * very row, while another table would be read as it was when the statement began.
 */
public final class DepartedColumn {

  /**
   * The longest reason: all departures together must fit into the column, where it is bounded (some
   * 800 tickets). Beyond that the database refuses to write; no departure is forgotten early.
   */
  private static final int LONGEST = 200;

  /**
   * A departure.
   *
   * @param until database time in microseconds
   * @param evicted the operator's reason; null if the ticket left by itself
   */
  public record Departure(String ticket, long until, @Nullable String evicted) {}

  private final List<Departure> departures = new ArrayList<>();

  /** Reads the column, without expired departures. */
  static DepartedColumn read(@Nullable String stored, long now) {
    DepartedColumn gone = new DepartedColumn();
    if (stored != null) {
      for (String line : stored.split("\n", -1)) {
        String[] parts = line.split(" ", 3);
        if (parts.length >= 2 && Long.parseLong(parts[1]) > now) {
          String words = parts.length == 3 ? parts[2] : null;
          gone.departures.add(new Departure(parts[0], Long.parseLong(parts[1]), words));
        }
      }
    }
    return gone;
  }

  /** Returns the value of the column; null when there are no departures. */
  @Nullable String write() {
    if (departures.isEmpty()) {
      return null;
    }
    StringBuilder out = new StringBuilder();
    for (Departure each : departures) {
      out.append(out.isEmpty() ? "" : "\n").append(each.ticket).append(' ').append(each.until);
      if (each.evicted != null) {
        out.append(' ').append(each.evicted);
      }
    }
    return out.toString();
  }

  public Optional<Departure> find(String ticket) {
    return departures.stream().filter(each -> each.ticket.equals(ticket)).findFirst();
  }

  /** Remembers a ticket. Keeps the operator's reason and the later end. */
  public void add(String ticket, long until, @Nullable String reason) {
    Optional<Departure> known = find(ticket);
    String words = reason == null ? null : oneLine(reason);
    known.ifPresent(departures::remove);
    departures.add(
        new Departure(
            ticket,
            Math.max(until, known.map(Departure::until).orElse(until)),
            words != null ? words : known.map(Departure::evicted).orElse(null)));
  }

  private static String oneLine(String reason) {
    String line = reason.replaceAll("\\R", " ");
    return StorableText.of(line.length() > LONGEST ? line.substring(0, LONGEST) : line);
  }
}
