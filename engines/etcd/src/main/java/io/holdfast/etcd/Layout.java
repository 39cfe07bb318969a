package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;

/**
 * Where things are in a store: layout {@code hf1}, under a prefix, which is {@code holdfast/}
 * unless the address says otherwise.
 *
 * <pre>
 * PREFIX store/NAMESPACE                      the layout and the generation
 * PREFIX line/NAMESPACE/NAME NUL KIND/PEG     a ticket, under the lease of its client
 * PREFIX line/NAMESPACE/NAME NUL KIND!        the head: capacity of a semaphore, mark of a once
 * PREFIX left/TICKET                          a ticket that must not come back, for one lease
 * PREFIX fence/NAMESPACE/NAME                 the last claim at the fence
 * PREFIX count/NAMESPACE/NAME                 the next number of a counter
 * </pre>
 *
 * The kind is one letter, so that one transaction can see that nobody uses the name otherwise: the
 * keys before and behind those of the own kind are not there. The NUL ends the name, which has
 * none, so that names sort as their bytes do and no name is the beginning of another.
 */
final class Layout {

  private final String prefix;

  /** All keys begin with the prefix. */
  Layout(String prefix) {
    this.prefix = prefix;
  }

  /** The keys of a resource that is used as such. */
  Keys of(Resource resource, Shape shape) {
    return new Keys(base(resource), Keys.kind(shape));
  }

  private String base(Resource resource) {
    return lines(resource.namespace()) + resource.name() + Keys.END_OF_NAME;
  }

  private String lines(String namespace) {
    return prefix + "line/" + namespace + '/';
  }

  /** Everything of a resource, however it is used. */
  Keys.Range everything(Resource resource) {
    String base = base(resource);
    return new Keys.Range(
        Keys.bytes(base), Keys.bytes(base.substring(0, base.length() - 1) + Keys.AFTER_NAME));
  }

  /** Everything of the resources of a namespace behind a name whose own names start so. */
  Keys.Range named(String namespace, String start, String after) {
    String all = lines(namespace);
    ByteString first = Keys.bytes(all + start);
    ByteString next = Keys.bytes(all + after + Keys.AFTER_NAME);
    boolean later =
        !after.isEmpty() && ByteString.unsignedLexicographicalComparator().compare(next, first) > 0;
    return new Keys.Range(later ? next : first, successor(first));
  }

  /** The first key that does not start so. The slash of the namespace sees to it that there is. */
  private static ByteString successor(ByteString start) {
    byte[] bytes = start.toByteArray();
    int last = bytes.length - 1;
    while (bytes[last] == (byte) 0xff) {
      last--;
    }
    bytes[last]++;
    return ByteString.copyFrom(bytes, 0, last + 1);
  }

  ByteString store(String namespace) {
    return Keys.bytes(prefix + "store/" + namespace);
  }

  ByteString left(Ticket.Id id) {
    return left(id.encoded());
  }

  ByteString left(String ticket) {
    return Keys.bytes(prefix + "left/" + ticket);
  }

  ByteString fence(Resource resource) {
    return Keys.bytes(prefix + "fence/" + resource.namespace() + '/' + resource.name());
  }

  ByteString counter(Resource name) {
    return Keys.bytes(prefix + "count/" + name.namespace() + '/' + name.name());
  }

  /** The name in a key of the namespace. */
  String name(String namespace, ByteString key) {
    String text = key.toStringUtf8();
    return text.substring(lines(namespace).length(), text.lastIndexOf(Keys.END_OF_NAME));
  }
}
