package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;

/**
 * Where things are: layout {@code hf1}.
 *
 * <pre>
 * holdfast/store/NAMESPACE                      the layout and the generation
 * holdfast/line/NAMESPACE/NAME NUL KIND/PEG     a ticket, under the lease of its client
 * holdfast/line/NAMESPACE/NAME NUL KIND!        the head: capacity of a semaphore, mark of a once
 * holdfast/left/TICKET                          a ticket that must not come back, for one lease
 * holdfast/fence/NAMESPACE/NAME                 the last claim at the fence
 * holdfast/count/NAMESPACE/NAME                 the next number of a counter
 * </pre>
 *
 * The kind is one letter, so that one transaction can see that nobody uses the name otherwise: the
 * keys before and behind those of the own kind are not there. The NUL ends the name, which has
 * none, so that names sort as their bytes do and no name is the beginning of another.
 */
final class Keys {

  /** Keys from one up to, and without, another. */
  record Range(ByteString from, ByteString to) {}

  private static final String STORES = "holdfast/store/";
  private static final String LINES = "holdfast/line/";
  private static final String LEFT = "holdfast/left/";
  private static final String FENCES = "holdfast/fence/";
  private static final String COUNTERS = "holdfast/count/";
  private static final char END_OF_NAME = '\0';
  private static final char AFTER_NAME = '\1';

  private final String base;
  private final char kind;

  private Keys(String base, char kind) {
    this.base = base;
    this.kind = kind;
  }

  /** The keys of a resource that is used as such. */
  static Keys of(Resource resource, Shape shape) {
    return new Keys(base(resource), kind(shape));
  }

  private static String base(Resource resource) {
    return LINES + resource.namespace() + '/' + resource.name() + END_OF_NAME;
  }

  private static char kind(Shape shape) {
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

  /** Tickets that sort before that one, and those behind: the line without it. */
  Range lineBefore(ByteString ticket) {
    return new Range(line().from(), ticket);
  }

  Range lineBehind(ByteString ticket) {
    return new Range(ticket.concat(ByteString.copyFrom(new byte[1])), line().to());
  }

  /** Everything of a resource, however it is used. */
  static Range everything(Resource resource) {
    String base = base(resource);
    return new Range(bytes(base), bytes(base.substring(0, base.length() - 1) + AFTER_NAME));
  }

  /** Everything of the resources of a namespace behind a name whose own names start so. */
  static Range named(String namespace, String prefix, String after) {
    String all = LINES + namespace + '/';
    ByteString start = bytes(all + prefix);
    ByteString next = bytes(all + after + AFTER_NAME);
    boolean later =
        !after.isEmpty() && ByteString.unsignedLexicographicalComparator().compare(next, start) > 0;
    return new Range(later ? next : start, successor(start));
  }

  /** The first key that does not start so. The slash of the namespace sees to it that there is. */
  private static ByteString successor(ByteString prefix) {
    byte[] bytes = prefix.toByteArray();
    int last = bytes.length - 1;
    while (bytes[last] == (byte) 0xff) {
      last--;
    }
    bytes[last]++;
    return ByteString.copyFrom(bytes, 0, last + 1);
  }

  static ByteString store(String namespace) {
    return bytes(STORES + namespace);
  }

  static ByteString left(Ticket.Id id) {
    return left(id.encoded());
  }

  static ByteString left(String ticket) {
    return bytes(LEFT + ticket);
  }

  static ByteString fence(Resource resource) {
    return bytes(FENCES + resource.namespace() + '/' + resource.name());
  }

  static ByteString counter(Resource name) {
    return bytes(COUNTERS + name.namespace() + '/' + name.name());
  }

  /** The name in a key of the namespace. */
  static String name(String namespace, ByteString key) {
    String text = key.toStringUtf8();
    int start = LINES.length() + namespace.length() + 1;
    return text.substring(start, text.lastIndexOf(END_OF_NAME));
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

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }
}
