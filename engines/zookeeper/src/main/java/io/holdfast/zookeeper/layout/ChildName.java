package io.holdfast.zookeeper.layout;

import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parsed name of a child of a resource's node.
 *
 * <p>Everything that decides which tickets are granted is in these names, so one list of the
 * children is the whole line at one moment.
 */
public sealed interface ChildName {

  /** Returns the name, without the path. */
  String name();

  /** A ticket in line: ephemeral, sequential. */
  record TicketName(String name, Shape shape, int weight, String id, int place)
      implements ChildName {}

  /** A new capacity for the line as it stood at this place: persistent, sequential. */
  record Resized(String name, int capacity, int place) implements ChildName {}

  /** The smaller weight of the ticket at this place: ephemeral. */
  record Reweighted(String name, int weight, int place) implements ChildName {}

  /** An operator revoked or evicted the ticket at this place: persistent. */
  record Revoked(String name, int place) implements ChildName {}

  /** A run of {@code once} is done: persistent. */
  record DoneMark(String name, long keepMillis, String maker) implements ChildName {}

  /** The mutex at this place stays for a time without its client: persistent. */
  record Kept(String name, long keepMillis, int place) implements ChildName {}

  /** Not written by Holdfast. */
  record Foreign(String name) implements ChildName {}

  /** Returns the name of a ticket's node; the store appends the place. */
  static String ofTicket(Ticket ticket, Shape shape) {
    return "t-"
        + Syntax.letter(shape.kind())
        + (shape.order() == Order.ANY ? 'a' : 'f')
        + shape.capacity()
        + "-"
        + ticket.weight()
        + "-"
        + ticket.id().encoded()
        + "-";
  }

  /** Returns the name of a resize record; the store appends the place. */
  static String ofResize(int capacity) {
    return "z-" + capacity + "-";
  }

  /** Returns the name of the record of a ticket's smaller weight. */
  static String ofWeight(int weight, int place) {
    return "d-" + weight + "-" + place;
  }

  /** Returns the name of an operator's record about a ticket. */
  static String ofRevocation(int place) {
    return "v-" + place;
  }

  /** Returns the name of the record about a mutex that stays without its client. */
  static String ofKept(long keepMillis, int place) {
    return "s-" + keepMillis + "-" + place;
  }

  /** Returns the name of a mark. */
  static String ofMark(long keepMillis, String maker) {
    return "k-" + keepMillis + "-" + maker;
  }

  /** Parses a name; a name of another program is {@link Foreign}. */
  static ChildName parse(String name) {
    Matcher ticket = Syntax.TICKET.matcher(name);
    try {
      if (ticket.matches()) {
        Shape.Kind kind = Syntax.kind(ticket.group(1));
        Order order = ticket.group(2).equals("a") ? Order.ANY : Order.FIFO;
        Shape shape = new Shape(kind, Integer.parseInt(ticket.group(3)), order);
        int weight = Integer.parseInt(ticket.group(4));
        int place = Integer.parseInt(ticket.group(6));
        return new TicketName(name, shape, weight, ticket.group(5), place);
      }
      Matcher record = Syntax.RECORD.matcher(name);
      return record.matches() ? parseRecord(name, record) : parseTimed(name);
    } catch (IllegalArgumentException e) {
      // A number that is too large, or a shape that does not exist.
      return new Foreign(name);
    }
  }

  private static ChildName parseRecord(String name, Matcher record) {
    int place = Integer.parseInt(record.group(3));
    if (record.group(1) == null) {
      return new Revoked(name, place);
    }
    int number = Integer.parseInt(record.group(2));
    return record.group(1).equals("z")
        ? new Resized(name, number, place)
        : new Reweighted(name, number, place);
  }

  private static ChildName parseTimed(String name) {
    Matcher mark = Syntax.MARK.matcher(name);
    if (mark.matches()) {
      return new DoneMark(name, Long.parseLong(mark.group(1)), mark.group(2));
    }
    Matcher kept = Syntax.KEPT.matcher(name);
    return kept.matches()
        ? new Kept(name, Long.parseLong(kept.group(1)), Integer.parseInt(kept.group(2)))
        : new Foreign(name);
  }

  /** The patterns and letters of names. */
  final class Syntax {
    private static final Pattern TICKET =
        Pattern.compile("t-([msro])([af])(\\d+)-(\\d+)-([0-9a-f]{32}-[0-9a-f]+)-(-?\\d+)");
    private static final Pattern RECORD = Pattern.compile("(?:([zd])-(\\d+)|v)-(-?\\d+)");
    private static final Pattern KEPT = Pattern.compile("s-(\\d+)-(-?\\d+)");
    private static final Pattern MARK = Pattern.compile("k-(\\d+)-([0-9a-f]{32}-[0-9a-f]+)");

    private Syntax() {}

    private static char letter(Shape.Kind kind) {
      return switch (kind) {
        case MUTEX -> 'm';
        case SEMAPHORE -> 's';
        case READ_WRITE -> 'r';
        case ONCE -> 'o';
      };
    }

    private static Shape.Kind kind(String letter) {
      return switch (letter) {
        case "m" -> Shape.Kind.MUTEX;
        case "s" -> Shape.Kind.SEMAPHORE;
        case "r" -> Shape.Kind.READ_WRITE;
        default -> Shape.Kind.ONCE;
      };
    }
  }
}
