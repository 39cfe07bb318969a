package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;

/** The keys of one resource that is used as one kind of thing; see {@link Layout}. */
final class Keys {

  /** Keys from one up to, and without, another. */
  record Range(ByteString from, ByteString to) {}

  static final char END_OF_NAME = '\0';
  private static final char END_OF_CLIENT = '-';
  static final char AFTER_NAME = '\1';

  private final String base;
  private final char kind;

  Keys(String base, char kind) {
    this.base = base;
    this.kind = kind;
  }

  /** The letter of a shape. */
  static char kind(Shape shape) {
    return switch (shape.kind()) {
      case MUTEX -> shape.order() == Order.ANY ? 'a' : 'f';
      case SEMAPHORE -> 's';
      case READ_WRITE -> 'r';
      case ONCE -> 'o';
    };
  }

  /** The shape that a letter stands for; that of a semaphore with the capacity in its head. */
  static Shape shape(char kind, int capacity) {
    return switch (kind) {
      case 'a' -> Shape.mutex(Order.ANY);
      case 'f' -> Shape.mutex(Order.FIFO);
      case 's' -> Shape.semaphore(capacity);
      case 'r' -> Shape.readWrite();
      default -> Shape.once();
    };
  }

  /** How the keys of tickets begin that are called so. */
  String peg(String name) {
    return base + kind + '/' + name;
  }

  ByteString head() {
    return bytes(base + kind + '!');
  }

  /** All tickets. */
  Range line() {
    return new Range(bytes(base + kind + '/'), bytes(base + kind + '0'));
  }

  /** All tickets and the head. */
  Range lineAndHead() {
    return new Range(bytes(base + kind), bytes(base + (char) (kind + 1)));
  }

  /** Where a mark, and tickets of kinds before this, would be; a semaphore has its head outside. */
  Range before() {
    return new Range(bytes(base), bytes(base + kind + (kind == 's' ? "" : "/")));
  }

  /** Where tickets of kinds behind this would be. */
  Range behind() {
    return new Range(
        bytes(base + kind + '0'), bytes(base.substring(0, base.length() - 1) + AFTER_NAME));
  }

  /** How the keys of that client's tickets begin, whichever engine made them. */
  String client(Ticket.Id id) {
    return peg(clientOf(id));
  }

  /** The client in the id of a ticket. */
  static String clientOf(Ticket.Id id) {
    String encoded = id.encoded();
    return encoded.substring(0, encoded.indexOf(END_OF_CLIENT));
  }

  /** All tickets of that client. */
  Range tickets(Ticket.Id id) {
    String client = client(id);
    return new Range(bytes(client + END_OF_CLIENT), bytes(client + (char) (END_OF_CLIENT + 1)));
  }

  /** Tickets that sort before that one, and those behind: the line without it. */
  Range lineBefore(ByteString ticket) {
    return new Range(line().from(), ticket);
  }

  Range lineBehind(ByteString ticket) {
    return new Range(ticket.concat(ByteString.copyFrom(new byte[1])), line().to());
  }

  /** The letter of the kind in a key. */
  static char kind(ByteString key) {
    String text = key.toStringUtf8();
    return text.charAt(text.lastIndexOf(END_OF_NAME) + 1);
  }

  /** Whether a key is that of a ticket, and not of a head. */
  static boolean isTicket(ByteString key) {
    String text = key.toStringUtf8();
    return text.charAt(text.lastIndexOf(END_OF_NAME) + 2) == '/';
  }

  static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }
}
