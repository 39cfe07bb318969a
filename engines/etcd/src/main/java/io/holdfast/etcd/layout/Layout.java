package io.holdfast.etcd.layout;

import com.google.protobuf.ByteString;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;

/**
 * All keys that the engine uses, under one prefix: layout {@code hf1}.
 *
 * <pre>
 * PREFIX store/NAMESPACE                      the layout and the generation
 * PREFIX line/NAMESPACE/NAME NUL KIND/SLOT    a ticket, under the lease of its client
 * PREFIX line/NAMESPACE/NAME NUL KIND!        the head: capacity of a semaphore, mark of a once
 * PREFIX left/TICKET                          the tombstone of a ticket, for one lease
 * PREFIX fence/NAMESPACE/NAME                 the last claim of the fence guard
 * PREFIX count/NAMESPACE/NAME                 the next number of a counter
 * </pre>
 *
 * The kind is one letter, so that one transaction can check that the name has no other shape: there
 * are no keys before and after those of its own kind. A NUL ends the name, which contains none, so
 * that names sort by their bytes and no name is a prefix of another.
 */
public final class Layout {

  private final String prefix;

  /** A layout whose keys all start with that prefix. */
  public Layout(String prefix) {
    this.prefix = prefix;
  }

  /** The keys of a resource of that shape. */
  public Keys of(Resource resource, Shape shape) {
    return new Keys(base(resource), Keys.kind(shape));
  }

  private String base(Resource resource) {
    return lines(resource.namespace()) + resource.name() + Keys.END_OF_NAME;
  }

  private String lines(String namespace) {
    return prefix + "line/" + namespace + '/';
  }

  /** All keys of a resource, whatever its shape. */
  public Keys.Range everything(Resource resource) {
    String base = base(resource);
    return new Keys.Range(
        Keys.bytes(base), Keys.bytes(base.substring(0, base.length() - 1) + Keys.AFTER_NAME));
  }

  /** All keys of the resources of a namespace that follow a name and start with that text. */
  public Keys.Range named(String namespace, String start, String after) {
    String all = lines(namespace);
    ByteString first = Keys.bytes(all + start);
    ByteString next = Keys.bytes(all + after + Keys.AFTER_NAME);
    boolean later =
        !after.isEmpty() && ByteString.unsignedLexicographicalComparator().compare(next, first) > 0;
    return new Keys.Range(later ? next : first, successor(first));
  }

  /** The first key after all keys with that start. The slash in it ensures that there is one. */
  private static ByteString successor(ByteString start) {
    byte[] bytes = start.toByteArray();
    int last = bytes.length - 1;
    while (bytes[last] == (byte) 0xff) {
      last--;
    }
    bytes[last]++;
    return ByteString.copyFrom(bytes, 0, last + 1);
  }

  /** A key that never exists, and that a user with rights on the prefix may use. */
  public ByteString unused() {
    return Keys.bytes(prefix);
  }

  /** The key of the {@link StoreRecord}. */
  public ByteString store(String namespace) {
    return Keys.bytes(prefix + "store/" + namespace);
  }

  /** The key of the {@link Tombstone} of a ticket. */
  public ByteString left(Ticket.Id id) {
    return left(id.encoded());
  }

  /** As {@link #left(Ticket.Id)}, by the encoded id. */
  public ByteString left(String ticket) {
    return Keys.bytes(prefix + "left/" + ticket);
  }

  /** The key of the fence guard's record. */
  public ByteString fence(Resource resource) {
    return Keys.bytes(prefix + "fence/" + resource.namespace() + '/' + resource.name());
  }

  /** The key of a counter. */
  public ByteString counter(Resource name) {
    return Keys.bytes(prefix + "count/" + name.namespace() + '/' + name.name());
  }

  /** The name of the resource that a key belongs to. */
  public String name(String namespace, ByteString key) {
    String text = key.toStringUtf8();
    return text.substring(lines(namespace).length(), text.lastIndexOf(Keys.END_OF_NAME));
  }
}
