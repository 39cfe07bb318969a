package io.holdfast.etcd.layout;

import com.google.protobuf.ByteString;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;

/** The keys of one resource of one kind; {@link Layout} shows how they look. */
public final class Keys {

  /** A range of keys; the end is exclusive. */
  public record Range(ByteString from, ByteString to) {}

  static final char END_OF_NAME = '\0';
  private static final char END_OF_CLIENT = '-';
  static final char AFTER_NAME = '\1';

  private final String base;
  private final char kind;

  public Keys(String base, char kind) {
    this.base = base;
    this.kind = kind;
  }

  /** The letter that stands for a shape. */
  public static char kind(Shape shape) {
    return switch (shape.kind()) {
      case MUTEX -> shape.order() == Order.ANY ? 'a' : 'f';
      case SEMAPHORE -> 's';
      case READ_WRITE -> 'r';
      case ONCE -> 'o';
    };
  }

  /** The shape that a letter stands for; a semaphore has the given capacity. */
  public static Shape shape(char kind, int capacity) {
    return switch (kind) {
      case 'a' -> Shape.mutex(Order.ANY);
      case 'f' -> Shape.mutex(Order.FIFO);
      case 's' -> Shape.semaphore(capacity);
      case 'r' -> Shape.readWrite();
      default -> Shape.once();
    };
  }

  /** How the keys of a series of slots start. */
  public String slots(String name) {
    return base + kind + '/' + name;
  }

  /** The key of the {@link HeadRecord}. */
  public ByteString head() {
    return bytes(base + kind + '!');
  }

  /** All tickets. */
  public Range line() {
    return new Range(bytes(base + kind + '/'), bytes(base + kind + '0'));
  }

  /** All tickets and the head. */
  public Range lineAndHead() {
    return new Range(bytes(base + kind), bytes(base + (char) (kind + 1)));
  }

  /** Where a mark and tickets of kinds before this one would be; excludes a capacity. */
  public Range before() {
    return new Range(bytes(base), bytes(base + kind + (kind == 's' ? "" : "/")));
  }

  /** Where tickets of kinds after this one would be. */
  public Range after() {
    return new Range(
        bytes(base + kind + '0'), bytes(base.substring(0, base.length() - 1) + AFTER_NAME));
  }

  /** How the keys of that client's tickets start, whichever engine made them. */
  public String client(Ticket.Id id) {
    return slots(clientOf(id));
  }

  /** The client in the id of a ticket. */
  public static String clientOf(Ticket.Id id) {
    String encoded = id.encoded();
    return encoded.substring(0, encoded.indexOf(END_OF_CLIENT));
  }

  /** All tickets of that client. */
  public Range tickets(Ticket.Id id) {
    String client = client(id);
    return new Range(bytes(client + END_OF_CLIENT), bytes(client + (char) (END_OF_CLIENT + 1)));
  }

  /** The tickets whose keys sort before that one. */
  public Range lineBefore(ByteString ticket) {
    return new Range(line().from(), ticket);
  }

  /** The tickets whose keys sort after that one. */
  public Range lineAfter(ByteString ticket) {
    return new Range(ticket.concat(ByteString.copyFrom(new byte[1])), line().to());
  }

  /** The letter of the kind that a key belongs to. */
  public static char kind(ByteString key) {
    String text = key.toStringUtf8();
    return text.charAt(text.lastIndexOf(END_OF_NAME) + 1);
  }

  /** Whether a key belongs to a ticket, not to a head. */
  public static boolean isTicket(ByteString key) {
    String text = key.toStringUtf8();
    return text.charAt(text.lastIndexOf(END_OF_NAME) + 2) == '/';
  }

  static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }
}
