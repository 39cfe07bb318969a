package io.holdfast.memory;

import io.holdfast.FenceGuard;
import io.holdfast.StaleTokenException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The fence guard of a resource that lives in this process. For tests, examples and in-process
 * resources; a resource elsewhere keeps its guard with its data. It remembers the last claim of
 * every resource for as long as it lives.
 */
public final class MemoryFenceGuard implements FenceGuard {

  private record Claim(long token, String holdId) {}

  private final ConcurrentHashMap<String, Claim> claims = new ConcurrentHashMap<>();

  /** A guard that has seen nothing. */
  public MemoryFenceGuard() {}

  @Override
  public void claim(String resource, long token, String holdId) {
    Claim mine = new Claim(token, holdId);
    Claim last = claims.merge(resource, mine, (old, own) -> token > old.token ? own : old);
    if (!last.equals(mine)) {
      throw new StaleTokenException(resource, token, last.token);
    }
  }

  @Override
  public void admit(String resource, long token, String holdId) {
    @Nullable Claim last = claims.get(resource);
    if (last != null && token <= last.token && !last.equals(new Claim(token, holdId))) {
      throw new StaleTokenException(resource, token, last.token);
    }
  }
}
