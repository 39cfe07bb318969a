package io.holdfast.server.security;

import io.holdfast.spi.Resource;

/** The rights of the client that sent a request. */
@FunctionalInterface
public interface Access {

  /** What a client may do with a name. */
  enum Right {
    /** Acquire, renew and release. */
    LOCK,
    /** List holders and waiters. */
    LOOK,
    /** Revoke, evict, and raise the generation. */
    OPERATE,
    /** Take numbers. */
    COUNT
  }

  /** Every right. For a server that only programs on its own machine can reach. */
  Access ALL = (right, namespace, prefix) -> true;

  /**
   * Returns whether the client has a right for all names that begin with a prefix.
   *
   * @param prefix a name, or the beginning of names
   */
  boolean allows(Right right, String namespace, String prefix);

  /** Returns whether the client has a right for a resource. */
  default boolean allows(Right right, Resource resource) {
    return allows(right, resource.namespace(), resource.name());
  }
}
