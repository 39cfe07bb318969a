package io.holdfast.jdbc.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tickets of a resource that are out for good: those that left while an attempt of theirs may
 * still arrive, and those that an operator took out. Kept in the resource's own row: a grant checks
 * it in the newest version of that very row, while another table would be read as it was when the
 * statement began.
 */
final class Gone {

  /**
   * So much of an operator's words: all of them together must fit into the column, where it has a
   * bound: some 800 tickets. Beyond that the database refuses to write; none is forgotten early.
   */
  private static final int LONGEST = 200;

  /**
   * One of them.
   *
   * @param until database time in microseconds
   * @param evicted the operator's words; null: it left by itself
   */
  record Departure(String ticket, long until, @Nullable String evicted) {}

  private final List<Departure> departures = new ArrayList<>();

  /** Reads the column, without what is over. */
  static Gone read(@Nullable String stored, long now) {
    Gone gone = new Gone();
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

  /** The column; null when nobody is remembered. */
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

  Optional<Departure> find(String ticket) {
    return departures.stream().filter(each -> each.ticket.equals(ticket)).findFirst();
  }

  /** Remembers a ticket. The operator's words stay, and the later end. */
  void add(String ticket, long until, @Nullable String reason) {
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
    return OwnerText.storable(line.length() > LONGEST ? line.substring(0, LONGEST) : line);
  }
}
