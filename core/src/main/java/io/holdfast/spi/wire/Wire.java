package io.holdfast.spi.wire;

import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;

/**
 * The types of messages, and how the types of the SPI are written in them.
 *
 * <p>A client sends verbs and queries; the server replies to each by its number. A verb that was
 * sent may have been executed until its reply says otherwise.
 */
public final class Wire {

  /** The WebSocket subprotocol. */
  public static final String SUBPROTOCOL = "holdfast.v1";

  /** The path of the WebSocket. */
  public static final String PATH = "/v1/connect";

  /** The port of the lock service. */
  public static final int PORT = 7420;

  /** The most verbs of one message. */
  public static final int MOST_VERBS = 128;

  /** The longest message of a client, in bytes. */
  public static final int LONGEST_REQUEST = 1 << 20;

  /** The longest message of a server, in bytes: a page of lines with many waiters. */
  public static final int LONGEST_REPLY = 1 << 26;

  /** The first message of a server: {@link Hello}. */
  public static final byte HELLO = 'H';

  /** A client's {@linkplain VerbMessage verbs}: number of the message, count, verbs. */
  public static final byte VERBS = 'V';

  /** Replies to verbs: number of the message of verbs, count, and index and reply of each. */
  public static final byte REPLIES = 'R';

  /** A {@link io.holdfast.spi.Wake#wake}: number of the waiter, number of its attempt. */
  public static final byte WAKE = 'W';

  /** A {@link io.holdfast.spi.Wake#granted}: as {@link #WAKE}, and the grant. */
  public static final byte GRANT = 'G';

  /** A {@link io.holdfast.spi.HoldSignal}: the resource. */
  public static final byte CHANGED = 'C';

  /** A client's {@link Query}: its number and the query. */
  public static final byte QUERY = 'Q';

  /** The result of a query: its number, and the result or a failure. */
  public static final byte RESULT = 'A';

  private Wire() {}

  static void write(MessageWriter out, Ticket ticket) {
    out.putLong(ticket.id().high()).putLong(ticket.id().low()).putLong(ticket.id().number());
    write(out, ticket.resource());
    write(out, ticket.shape());
    out.putInt(ticket.weight()).put(ticket.lease()).put(ticket.generation());
    out.put(ticket.waits()).put(ticket.fixed());
    write(out, ticket.owner());
  }

  static Ticket readTicket(MessageReader in) throws MalformedMessageException {
    Ticket.Id id = new Ticket.Id(in.getLong(), in.getLong(), in.getLong());
    Resource resource = readResource(in);
    Shape shape = readShape(in);
    int weight = in.getInt();
    var lease = in.getDuration();
    int generation = in.get();
    boolean waits = in.getFlag();
    boolean fixed = in.getFlag();
    Owner owner = readOwner(in);
    try {
      return new Ticket(id, resource, shape, weight, lease, generation, waits, owner, fixed);
    } catch (IllegalArgumentException e) {
      throw new MalformedMessageException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Writes a resource. */
  public static void write(MessageWriter out, Resource resource) {
    out.put(resource.namespace()).put(resource.name());
  }

  /** Reads a resource. */
  public static Resource readResource(MessageReader in) throws MalformedMessageException {
    String namespace = in.getText();
    String name = in.getText();
    try {
      return new Resource(namespace, name);
    } catch (IllegalArgumentException e) {
      throw new MalformedMessageException(String.valueOf(e.getMessage()), e);
    }
  }

  static void write(MessageWriter out, Shape shape) {
    out.put(
        switch (shape.kind()) {
          case MUTEX -> 'M';
          case SEMAPHORE -> 'S';
          case READ_WRITE -> 'R';
          case ONCE -> 'O';
        });
    out.putInt(shape.capacity());
    out.put(shape.order() == Order.ANY ? 'A' : 'F');
  }

  static Shape readShape(MessageReader in) throws MalformedMessageException {
    byte kind = in.get();
    int capacity = in.getInt();
    byte order = in.get();
    try {
      return new Shape(
          switch (kind) {
            case 'M' -> Shape.Kind.MUTEX;
            case 'S' -> Shape.Kind.SEMAPHORE;
            case 'R' -> Shape.Kind.READ_WRITE;
            case 'O' -> Shape.Kind.ONCE;
            default -> throw unknown("kind", kind);
          },
          capacity,
          switch (order) {
            case 'A' -> Order.ANY;
            case 'F' -> Order.FIFO;
            default -> throw unknown("order", order);
          });
    } catch (IllegalArgumentException e) {
      throw new MalformedMessageException(String.valueOf(e.getMessage()), e);
    }
  }

  static void write(MessageWriter out, Owner owner) {
    out.put(owner.app()).put(owner.host()).putLong(owner.pid());
    out.put(owner.thread()).put(owner.text());
  }

  static Owner readOwner(MessageReader in) throws MalformedMessageException {
    return new Owner(in.getText(), in.getText(), in.getLong(), in.getText(), in.getText());
  }

  static MalformedMessageException unknown(String what, byte code) {
    return new MalformedMessageException("unknown " + what + ": " + code);
  }
}
