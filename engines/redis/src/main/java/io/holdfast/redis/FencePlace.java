package io.holdfast.redis;

import io.holdfast.spi.Resource;
import java.nio.charset.StandardCharsets;

/**
 * Where the fence records of a guard are: with the locks, in the bucket of each resource, or beside
 * data of the program, in the slot of its key.
 *
 * @param besideTag the tag of the data with its braces, or empty
 */
record FencePlace(String namespace, String besideTag) {

  FencePlace {
    Resource.requireNamespace(namespace);
  }

  /** Beside this key, so that a cluster has both on one server. */
  FencePlace beside(String key) {
    return new FencePlace(namespace, tag(key));
  }

  byte[] key(String resource) {
    byte[] path = Layout.path(new Resource(namespace, resource));
    return besideTag.isEmpty()
        ? Layout.key(Layout.bucket(path), 'f', path)
        : (besideTag + ":hf:f:" + new String(path, StandardCharsets.UTF_8))
            .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * What decides the slot of a key: what is in its first braces if they are not empty, else all.
   */
  private static String tag(String key) {
    int open = key.indexOf('{');
    int close = key.indexOf('}', open + 1);
    if (open >= 0 && close > open + 1) {
      return key.substring(open, close + 1);
    }
    if (key.isEmpty() || key.indexOf('}') >= 0) {
      throw new IllegalArgumentException(
          "there is no tag that shares the slot of this key: give it one in braces, such as"
              + " {orders}:42, or leave } out of it: key="
              + key);
    }
    return "{" + key + "}";
  }
}
