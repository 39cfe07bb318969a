package io.holdfast.spring;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The holds of the annotated methods that the current thread is in, innermost first, and the holds
 * that are kept until its transaction has ended.
 */
final class HoldChain {

  private static final ThreadLocal<HoldChain> CURRENT = new ThreadLocal<>();

  private final Deque<HeldLock> active = new ArrayDeque<>();
  private final List<HeldLock> deferred = new CopyOnWriteArrayList<>();

  /** Who has claimed the fences of which holds; whether that still counts is up to the claimer. */
  private final IdentityHashMap<Object, List<Hold>> claims = new IdentityHashMap<>();

  private HoldChain() {}

  /** Runs with these holds in the chain of the current thread. */
  static @Nullable Object with(List<HeldLock> locks, Body body) throws Throwable {
    HoldChain chain = CURRENT.get();
    if (chain == null) {
      chain = new HoldChain();
      CURRENT.set(chain);
    }
    locks.forEach(chain.active::push);
    try {
      return body.run();
    } finally {
      for (int i = 0; i < locks.size(); i++) {
        chain.active.pop();
      }
      chain.forgetIfEmpty();
    }
  }

  /** Code that runs in a chain. */
  @FunctionalInterface
  interface Body {
    @Nullable Object run() throws Throwable;
  }

  /** Keeps holds after their method has ended. Call it inside of {@link #with}. */
  static Deferred defer(List<HeldLock> locks) {
    HoldChain chain = CURRENT.get();
    if (chain == null) {
      throw new IllegalStateException("no call chain on this thread");
    }
    chain.deferred.addAll(locks);
    return () -> {
      chain.deferred.removeAll(locks);
      if (CURRENT.get() == chain) {
        chain.forgetIfEmpty();
      }
    };
  }

  /** Ends a deferral. */
  @FunctionalInterface
  interface Deferred {
    void end();
  }

  /** Notes that the fences of holds have been claimed; forgotten with the chain at the latest. */
  static void addClaims(Object claimer, List<Hold> holds) {
    HoldChain chain = CURRENT.get();
    if (chain != null) {
      chain.claims.put(claimer, List.copyOf(holds));
    }
  }

  /** Returns what claimers have claimed on the current thread. */
  static IdentityHashMap<Object, List<Hold>> claims() {
    HoldChain chain = CURRENT.get();
    return chain == null ? new IdentityHashMap<>() : chain.claims;
  }

  private void forgetIfEmpty() {
    if (active.isEmpty() && deferred.isEmpty()) {
      CURRENT.remove();
    }
  }

  /** Returns the holds of the current thread, innermost first. */
  static List<HeldLock> all() {
    HoldChain chain = CURRENT.get();
    if (chain == null) {
      return List.of();
    }
    List<HeldLock> all = new ArrayList<>(chain.active);
    all.addAll(chain.deferred);
    return all;
  }

  /** Returns the hold that an inner call shares, if there is one. */
  static @Nullable HeldLock find(
      List<HeldLock> chain, Holdfast client, String name, LockSide side) {
    for (HeldLock each : chain) {
      if (each.covers(client, name, side)) {
        return each;
      }
    }
    return null;
  }
}
