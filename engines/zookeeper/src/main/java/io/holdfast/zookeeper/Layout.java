package io.holdfast.zookeeper;

import io.holdfast.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Where things are. Below the root: one node for each namespace, below it one for each resource;
 * beside the namespaces, with names that no namespace has, the clients' own nodes, the fences and
 * the counters.
 *
 * @param root {@code /holdfast}, perhaps within a chroot
 */
record Layout(String root) {

  /** The version of the layout; it is the root's data. */
  static final String VERSION = "hf1";

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  static Layout in(String chroot) {
    return new Layout(chroot + "/holdfast");
  }

  String clients() {
    return root + "/~clients";
  }

  /** Who swept last, and when. */
  String broom() {
    return root + "/~broom";
  }

  String fences() {
    return root + "/~fences";
  }

  /** The node of a counter; those above it are made with the first one. */
  String counter(Resource name) {
    return root + "/~counters/" + name.namespace() + "/" + encode(name.name());
  }

  String namespace(String namespace) {
    return root + "/" + namespace;
  }

  String line(Resource resource) {
    return namespace(resource.namespace()) + "/" + encode(resource.name());
  }

  /**
   * A name as one part of a path: bytes that are not plain are written as %XX. A dot is plain but
   * at the beginning, as . and .. are not allowed.
   */
  static String encode(String name) {
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
   * @throws IllegalArgumentException when it is nothing that we wrote
   */
  static String decode(String part) {
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
        throw new IllegalArgumentException("not a name of ours");
      }
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
