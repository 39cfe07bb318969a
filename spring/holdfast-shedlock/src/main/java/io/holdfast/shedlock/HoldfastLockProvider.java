package io.holdfast.shedlock;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.World;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;

/**
 * A {@link net.javacrumbs.shedlock.core.LockProvider} over any store of Holdfast.
 *
 * <pre>{@code
 * @Bean
 * LockProvider lockProvider(Holdfast holdfast) {
 *   return new HoldfastLockProvider(holdfast);
 * }
 * }</pre>
 *
 * <ul>
 *   <li>The lock is renewed while the task runs. When the process dies, the lock is free after the
 *       {@linkplain io.holdfast.HoldfastOptions#lease() lease}, not after {@code lockAtMostFor}.
 *   <li>{@code lockAtMostFor} is the limit for a task that hangs: the lock is released then, and a
 *       warning is logged. The task is not stopped.
 *   <li>{@code lockAtLeastFor} is kept by the store after the task has ended, even if the process
 *       ends right then. It counts from the moment the lock was granted.
 *   <li>{@code LockExtender} works, with both of these times counted again from the call.
 * </ul>
 *
 * <p>Locks are mutexes named {@code shedlock/} and ShedLock's name, in the namespace of the client.
 * Thread-safe. {@code docs/migrating-from-shedlock.md} compares this with ShedLock's own providers.
 */
public final class HoldfastLockProvider implements ExtensibleLockProvider {

  /** The default beginning of the names of locks. */
  public static final String DEFAULT_PREFIX = "shedlock/";

  private final Holdfast holdfast;
  private final String prefix;
  private final World world;

  /** Creates a provider whose locks are named {@code shedlock/…}. */
  public HoldfastLockProvider(Holdfast holdfast) {
    this(holdfast, DEFAULT_PREFIX);
  }

  /**
   * Creates a provider.
   *
   * @param prefix the beginning of the names of its locks, the same on all machines; without braces
   */
  public HoldfastLockProvider(Holdfast holdfast, String prefix) {
    this(holdfast, prefix, World.system());
  }

  /** Creates a provider with caller-supplied time, for tests. */
  HoldfastLockProvider(Holdfast holdfast, String prefix, World world) {
    if (prefix.indexOf('{') >= 0 || prefix.indexOf('}') >= 0) {
      throw new IllegalArgumentException("prefix must not have braces: prefix=\"" + prefix + "\"");
    }
    this.holdfast = holdfast;
    this.prefix = prefix;
    this.world = world;
  }

  /**
   * Asks the store once. Blocks for at most the operation timeout.
   *
   * @return the lock; empty only when the store reported busy
   * @throws LockException when the store did not reply or refused, when {@code lockAtLeastFor} is
   *     set and the store {@linkplain io.holdfast.spi.EngineTraits#keeps cannot keep} a lock
   *     without a client, or when the thread was interrupted, which keeps the interrupt flag
   */
  @Override
  public Optional<SimpleLock> lock(LockConfiguration configuration) {
    requireKeepable(configuration);
    try {
      Optional<Hold> hold = holdfast.lock(prefix + "{}", configuration.getName()).tryAcquire();
      return hold.map(granted -> new HeldLock(configuration, granted, world));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LockException(
          "interrupted while " + name(configuration) + " was requested; it is not locked", e);
    } catch (HoldfastException e) {
      throw new LockException(name(configuration) + " could not be locked: " + e.getMessage(), e);
    }
  }

  private void requireKeepable(LockConfiguration configuration) {
    Duration least = configuration.getLockAtLeastFor();
    if (!least.isZero() && !least.isNegative() && !holdfast.traits().keeps()) {
      throw new LockException(
          name(configuration)
              + " cannot be locked for at least "
              + least.toMillis()
              + " ms: "
              + holdfast.traits().store()
              + " cannot keep a name without a client; leave lockAtLeastFor out, or use another"
              + " store");
    }
  }

  private String name(LockConfiguration configuration) {
    return prefix + configuration.getName();
  }
}
