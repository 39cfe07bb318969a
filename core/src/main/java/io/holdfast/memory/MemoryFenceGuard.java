package io.holdfast.memory;

import io.holdfast.FenceGuard;
import io.holdfast.StaleTokenException;
import io.holdfast.spi.Resource;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The fence guard of a resource that lives in this process.
 *
 * <p>For tests, examples and in-process resources; any other resource keeps its guard with its
 * data. It remembers the last claim of every resource until it is garbage-collected.
 */
public final class MemoryFenceGuard implements FenceGuard {

  private record Claim(long token, String holdId) {}

  private record Key(String namespace, String resource) {}

  private final ConcurrentHashMap<Key, Claim> claims;
  private final String namespace;

  /** Creates a guard without claims, for the namespace {@code default}. */
  public MemoryFenceGuard() {
    this(new ConcurrentHashMap<>(), "default");
  }

  private MemoryFenceGuard(ConcurrentHashMap<Key, Claim> claims, String namespace) {
    this.claims = claims;
    this.namespace = namespace;
  }

  /** {@inheritDoc} Both guards share their claims. */
  @Override
  public MemoryFenceGuard inNamespace(String other) {
    return other.equals(namespace)
        ? this
        : new MemoryFenceGuard(claims, Resource.requireNamespace(other));
  }

  @Override
  public void claim(String resource, long token, String holdId) {
    Claim mine = new Claim(token, holdId);
    Claim last =
        claims.merge(
            new Key(namespace, resource), mine, (old, own) -> token > old.token ? own : old);
    if (!last.equals(mine)) {
      throw new StaleTokenException(resource, token, last.token);
    }
  }

  @Override
  public void admit(String resource, long token, String holdId) {
    @Nullable Claim last = claims.get(new Key(namespace, resource));
    if (last != null && token <= last.token && !last.equals(new Claim(token, holdId))) {
      throw new StaleTokenException(resource, token, last.token);
    }
  }
}
