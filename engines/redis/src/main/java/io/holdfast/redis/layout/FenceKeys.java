package io.holdfast.redis.layout;

import io.holdfast.spi.Resource;
import java.nio.charset.StandardCharsets;

/**
 * The keys of fence records.
 *
 * <p>They are in the bucket of each resource, or in the slot of the guarded data.
 *
 * @param dataTag the hash tag of the data with its braces; empty for the buckets
 */
public record FenceKeys(String namespace, String dataTag) {

  /** Checks the namespace. */
  public FenceKeys {
    Resource.requireNamespace(namespace);
  }

  /** Returns a copy for the slot of this key, so that a cluster has both on one server. */
  public FenceKeys besideKey(String key) {
    return new FenceKeys(namespace, tag(key));
  }

  /** Returns the key of the record of a resource. */
  public byte[] key(String resource) {
    byte[] path = Keys.path(new Resource(namespace, resource));
    return dataTag.isEmpty()
        ? Keys.key(Keys.bucket(path), 'f', path)
        : (dataTag + ":hf:f:" + new String(path, StandardCharsets.UTF_8))
            .getBytes(StandardCharsets.UTF_8);
  }

  /** Returns what decides the slot of a key: its first braces if they are not empty, else all. */
  private static String tag(String key) {
    int open = key.indexOf('{');
    int close = key.indexOf('}', open + 1);
    if (open >= 0 && close > open + 1) {
      return key.substring(open, close + 1);
    }
    if (key.isEmpty() || key.indexOf('}') >= 0) {
      throw new IllegalArgumentException(
          "no hash tag shares the slot of this key: give it one in braces, such as"
              + " {orders}:42, or leave } out of it: key="
              + key);
    }
    return "{" + key + "}";
  }
}
