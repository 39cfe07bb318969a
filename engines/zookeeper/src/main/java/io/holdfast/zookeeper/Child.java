package io.holdfast.zookeeper;

import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A child of a resource's node, as its name says it. All that decides who is in stands in names, so
 * that one list of children is the whole line as it stood at one moment.
 */
sealed interface Child {

  /** Its name, without the path. */
  String name();

  /** A ticket in line: ephemeral, sequential. */
  record Seat(String name, Shape shape, int weight, String id, int place) implements Child {}

  /** A new capacity, for those in line at this place: persistent, sequential. */
  record Resized(String name, int capacity, int place) implements Child {}

  /** The ticket at this place weighs less now: ephemeral. */
  record Shrunk(String name, int weight, int place) implements Child {}

  /** An operator asked the ticket at this place to go, or took it out: persistent. */
  record Revoked(String name, int place) implements Child {}

  /** A run is done: persistent. */
  record Mark(String name, long keepMillis, String maker) implements Child {}

  /** Nothing of ours. */
  record Foreign(String name) implements Child {}

  /** A ticket's name; the store appends the place. */
  static String seat(Ticket ticket, Shape shape) {
    return seatOf(ticket.id().encoded(), shape, ticket.weight());
  }

  private static String seatOf(String id, Shape shape, int weight) {
    return "t-"
        + Names.letter(shape.kind())
        + (shape.order() == Order.ANY ? 'a' : 'f')
        + shape.capacity()
        + "-"
        + weight
        + "-"
        + id
        + "-";
  }

  /** A resize's name; the store appends the place. */
  static String resized(int capacity) {
    return "z-" + capacity + "-";
  }

  /** The name of a ticket's new weight. */
  static String shrunk(int weight, int place) {
    return "d-" + weight + "-" + place;
  }

  /** The name of an operator's word to a ticket. */
  static String revoked(int place) {
    return "v-" + place;
  }

  /** A mark's name. */
  static String mark(long keepMillis, String maker) {
    return "k-" + keepMillis + "-" + maker;
  }

  /** Reads a name; what is not ours is {@link Foreign}. */
  static Child of(String name) {
    Matcher seat = Names.SEAT.matcher(name);
    try {
      if (seat.matches()) {
        Shape.Kind kind = Names.kind(seat.group(1));
        Order order = seat.group(2).equals("a") ? Order.ANY : Order.FIFO;
        Shape shape = new Shape(kind, Integer.parseInt(seat.group(3)), order);
        int weight = Integer.parseInt(seat.group(4));
        return new Seat(name, shape, weight, seat.group(5), Integer.parseInt(seat.group(6)));
      }
      Matcher record = Names.RECORD.matcher(name);
      return record.matches() ? record(name, record) : mark(name);
    } catch (IllegalArgumentException e) {
      // Numbers that do not fit, and shapes that there are not.
      return new Foreign(name);
    }
  }

  private static Child record(String name, Matcher record) {
    int place = Integer.parseInt(record.group(3));
    if (record.group(1) == null) {
      return new Revoked(name, place);
    }
    int number = Integer.parseInt(record.group(2));
    return record.group(1).equals("z")
        ? new Resized(name, number, place)
        : new Shrunk(name, number, place);
  }

  private static Child mark(String name) {
    Matcher mark = Names.MARK.matcher(name);
    return mark.matches()
        ? new Mark(name, Long.parseLong(mark.group(1)), mark.group(2))
        : new Foreign(name);
  }

  /** The forms of names. */
  final class Names {
    private static final Pattern SEAT =
        Pattern.compile("t-([msro])([af])(\\d+)-(\\d+)-([0-9a-f]{32}-[0-9a-f]+)-(-?\\d+)");
    private static final Pattern RECORD = Pattern.compile("(?:([zd])-(\\d+)|v)-(-?\\d+)");
    private static final Pattern MARK = Pattern.compile("k-(\\d+)-([0-9a-f]{32}-[0-9a-f]+)");

    private Names() {}

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
