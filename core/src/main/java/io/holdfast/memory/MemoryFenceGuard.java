package io.holdfast.memory;

import io.holdfast.Hold;
import io.holdfast.StaleTokenException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The fence guard of a resource that lives in this process: it refuses holders that were overtaken.
 * For tests, examples and in-process resources; a resource elsewhere keeps its guard with its data.
 *
 * <p>Exclusive holders {@code claim} before they first read; shared ones {@code admit} themselves.
 * It compares whole tokens, so holds that were handed over within a client are told apart too. It
 * remembers the last claim of every resource for as long as it lives: to forget one would let old
 * holders in. Safe for any number of threads.
 */
public final class MemoryFenceGuard {

  private record Claim(long token, String holdId) {}

  private final ConcurrentHashMap<String, Claim> claims = new ConcurrentHashMap<>();

  /** A guard that has seen nothing. */
  public MemoryFenceGuard() {}

  /** Claims what the hold is named after; see {@link #claim(String, long, String)}. */
  public void claim(Hold hold) {
    claim(hold.name(), hold.token(), hold.id());
  }

  /**
   * Lets an exclusive holder in and everyone before it never again: accepted if the token is larger
   * than that of the last claim, or if it is the same claim once more.
   *
   * @throws StaleTokenException when a later holder, or another one with the same token, has
   *     claimed
   */
  public void claim(String resource, long token, String holdId) {
    Claim mine = new Claim(token, holdId);
    Claim last = claims.merge(resource, mine, (old, own) -> token > old.token ? own : old);
    if (!last.equals(mine)) {
      throw new StaleTokenException(resource, token, last.token);
    }
  }

  /** Admits to what the hold is named after; see {@link #admit(String, long, String)}. */
  public void admit(Hold hold) {
    admit(hold.name(), hold.token(), hold.id());
  }

  /**
   * Lets a shared holder in: accepted if the token is larger than that of the last exclusive claim,
   * or if the holder is the one that claimed. Raises nothing, for tokens of those that are in
   * together say nothing about each other.
   *
   * @throws StaleTokenException when an exclusive holder has claimed since
   */
  public void admit(String resource, long token, String holdId) {
    @Nullable Claim last = claims.get(resource);
    if (last != null && token <= last.token && !last.equals(new Claim(token, holdId))) {
      throw new StaleTokenException(resource, token, last.token);
    }
  }
}
