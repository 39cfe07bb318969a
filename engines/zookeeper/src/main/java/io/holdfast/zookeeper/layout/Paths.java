package io.holdfast.zookeeper.layout;

import io.holdfast.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The paths of all nodes.
 *
 * <p>Below the root there is one node for each namespace, and below it one for each resource. The
 * clients' own nodes, the fences and the counters are next to the namespaces, under names that no
 * namespace can have.
 *
 * @param root {@code /holdfast}, possibly below a chroot
 */
public record Paths(String root) {

  /** The version of the layout, stored as the root's data. */
  public static final String VERSION = "hf1";

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  /** Returns the paths below a chroot, which may be empty. */
  public static Paths in(String chroot) {
    return new Paths(chroot + "/holdfast");
  }

  /** Returns the parent of the clients' own nodes. */
  public String clients() {
    return root + "/~clients";
  }

  /** Returns the node whose last write says when a client last swept the store. */
  public String sweeper() {
    return root + "/~broom";
  }

  /** Returns the parent of the fence records of all namespaces. */
  public String fences() {
    return root + "/~fences";
  }

  /** Returns the fence record of a resource. */
  public String fence(Resource resource) {
    return fences() + "/" + resource.namespace() + "/" + encode(resource.name());
  }

  /** Returns the node of a counter; its parents are created with the first counter. */
  public String counter(Resource name) {
    return root + "/~counters/" + name.namespace() + "/" + encode(name.name());
  }

  /** Returns the node of a namespace. */
  public String namespace(String namespace) {
    return root + "/" + namespace;
  }

  /** Returns the node of a resource, whose children are its line. */
  public String line(Resource resource) {
    return namespace(resource.namespace()) + "/" + encode(resource.name());
  }

  /**
   * Encodes a name as one part of a path: bytes outside of a plain set become %XX. A dot is plain
   * except at the beginning, because ZooKeeper does not allow {@code .} and {@code ..}.
   */
  public static String encode(String name) {
    StringBuilder out = new StringBuilder(name.length() + 8);
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      char c = (char) (bytes[i] & 0xff);
      if (isPlain(c) && (c != '.' || i > 0)) {
        out.append(c);
      } else {
        out.append('%').append(HEX.toHexDigits(bytes[i]));
      }
    }
    return out.toString();
  }

  private static boolean isPlain(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "-_.:+=@,".indexOf(c) >= 0;
  }

  /**
   * Undoes {@link #encode}.
   *
   * @throws IllegalArgumentException when the text was not written by {@code encode}
   */
  public static String decode(String part) {
    byte[] bytes = new byte[part.length()];
    int length = 0;
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c == '%' && i + 2 < part.length()) {
        bytes[length++] = (byte) HexFormat.fromHexDigits(part, i + 1, i + 3);
        i += 2;
      } else if (c < 0x80 && isPlain(c)) {
        bytes[length++] = (byte) c;
      } else {
        throw new IllegalArgumentException("not an encoded name");
      }
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
