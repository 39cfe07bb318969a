package io.holdfast.spi;

import java.util.regex.Pattern;

/**
 * A protected resource: a name within a namespace.
 *
 * <p>Names are compared byte by byte; nothing is normalised, trimmed or folded.
 *
 * @param namespace {@code [a-z0-9][a-z0-9._-]{0,62}}
 * @param name 1 to {@value #MAX_NAME_BYTES} bytes of UTF-8, no NUL, no lone surrogate
 */
public record Resource(String namespace, String name) {

  /** The longest name, in bytes of UTF-8. */
  public static final int MAX_NAME_BYTES = 512;

  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");

  public Resource {
    requireNamespace(namespace);
    requireName(name);
  }

  /**
   * Returns the namespace if it is well formed.
   *
   * @throws IllegalArgumentException naming the value and the rule
   */
  public static String requireNamespace(String namespace) {
    if (!isPlainNamespace(namespace) && !NAMESPACE.matcher(namespace).matches()) {
      throw new IllegalArgumentException(
          "namespace must match " + NAMESPACE.pattern() + ": namespace=" + Text.quote(namespace));
    }
    return namespace;
  }

  /** Fast path for the default namespace; acquires check it every time. */
  private static boolean isPlainNamespace(String namespace) {
    return namespace.equals("default");
  }

  private static void requireName(String name) {
    int bytes = utf8Length(name);
    if (bytes < 1 || bytes > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "name must be 1.."
              + MAX_NAME_BYTES
              + " bytes of UTF-8: bytes="
              + bytes
              + " name="
              + Text.quote(name));
    }
  }

  private static int utf8Length(String name) {
    int bytes = 0;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == 0) {
        throw new IllegalArgumentException(
            "name must not contain NUL: index=" + i + " name=" + Text.quote(name));
      }
      if (c < 0x80) {
        bytes += 1;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < name.length()
          && Character.isLowSurrogate(name.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        throw new IllegalArgumentException(
            "name must not contain a lone surrogate: index=" + i + " name=" + Text.quote(name));
      }
    }
    return bytes;
  }

  /** Returns the name for a log line or an error: quoted, escaped, cut to length. */
  @Override
  public String toString() {
    return Text.quote(namespace.equals("default") ? name : namespace + ":" + name);
  }
}
