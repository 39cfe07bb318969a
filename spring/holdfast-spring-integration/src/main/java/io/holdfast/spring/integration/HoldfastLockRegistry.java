package io.holdfast.spring.integration;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.JavaLock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.util.ClassUtils;

/**
 * A {@link org.springframework.integration.support.locks.LockRegistry} over any store of Holdfast,
 * for Spring Integration 6.5 to 7.1.
 *
 * <pre>{@code
 * @Bean
 * HoldfastLockRegistry lockRegistry(Holdfast holdfast) {
 *   return new HoldfastLockRegistry(holdfast, "orders/");
 * }
 * }</pre>
 *
 * <p>Its locks are owned by the thread and re-entrant, also over two registries of the same client
 * and prefix. {@code unlock()} throws {@link IllegalMonitorStateException} when the current thread
 * has not locked it, and {@link java.util.ConcurrentModificationException} when the lock was lost.
 * Trouble with the store is a {@link org.springframework.dao.CannotAcquireLockException}; {@code
 * lock()} and {@code lockInterruptibly()} go on waiting instead. Conditions are unsupported.
 *
 * <p>Leases are renewed while the locking thread lives, so nothing has to be renewed by the
 * program; nothing is cached, so nothing has to be expired. On 7.0 and later its locks are {@code
 * DistributedLock}s, whose time to live is the lease: how long a dead process blocks others, 2
 * seconds to 1 day. It does not end a lock that is in use. Where the client has one lease for all
 * locks (ZooKeeper, and {@code jdbc:} in the modes {@code session} and {@code row}) it has no
 * effect.
 *
 * <p>Locks are mutexes named by the prefix and the key, in the namespace of the client.
 * Thread-safe. {@code docs/migrating-from-spring-integration.md} compares this with Spring
 * Integration's own registries.
 */
@SuppressWarnings({"rawtypes", "unchecked"})
public final class HoldfastLockRegistry implements ExpirableLockRegistry, RenewableLockRegistry {

  /*
   * One artifact for two lines, so the types are raw: an implementation of the generic types would carry a signature that
   * cannot be read where they are not generic, and Spring reads signatures of all beans.
   */

  private static final boolean HAS_TIME_TO_LIVE =
      ClassUtils.isPresent(
          "org.springframework.integration.support.locks.DistributedLock",
          HoldfastLockRegistry.class.getClassLoader());

  private final Holdfast holdfast;
  private final String prefix;

  /**
   * Creates a registry.
   *
   * @param prefix the beginning of the names of its locks, the same on all machines; without braces
   */
  public HoldfastLockRegistry(Holdfast holdfast, String prefix) {
    if (prefix.indexOf('{') >= 0 || prefix.indexOf('}') >= 0) {
      throw new IllegalArgumentException("prefix must not have braces: prefix=\"" + prefix + "\"");
    }
    this.holdfast = holdfast;
    this.prefix = prefix;
  }

  /**
   * Returns the lock of a key. No I/O; create one wherever it is needed.
   *
   * @param lockKey text, a number, a {@link UUID}, a boolean or an enum's constant
   * @throws IllegalArgumentException when it is something else, whose text may differ between
   *     machines, or when prefix and key are longer than 512 bytes
   */
  @Override
  public Lock obtain(Object lockKey) {
    String key = text(lockKey);
    JavaLock lock = javaLock(holdfast, key);
    return HAS_TIME_TO_LIVE
        ? new TimeToLiveLock(prefix + key, lock, ttl -> javaLock(withLease(ttl), key))
        : new RegistryLock(prefix + key, lock);
  }

  private JavaLock javaLock(Holdfast view, String key) {
    return view.lock(prefix + "{}", key).asJavaLock();
  }

  private Holdfast withLease(Duration ttl) {
    if (holdfast.traits().sessionLease().isPresent()) {
      return holdfast;
    }
    // A lease is at least four margins.
    Duration margins = holdfast.options().margin().multipliedBy(4);
    Duration least = longer(HoldfastOptions.LEASE_FLOOR, margins);
    Duration lease = longer(least, shorter(ttl, HoldfastOptions.LEASE_CEILING));
    return holdfast.with(options -> options.withLease(lease));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static String text(Object key) {
    if (key instanceof Enum<?> constant) {
      return constant.name();
    }
    if (key instanceof CharSequence
        || key instanceof Number
        || key instanceof UUID
        || key instanceof Boolean
        || key instanceof Character) {
      return key.toString();
    }
    throw new IllegalArgumentException(
        "the key of a lock must be text, a number, a UUID, a boolean or an enum's constant, whose"
            + " text is the same on all machines: "
            + key.getClass().getName());
  }

  /**
   * Returns the hold of the current thread on a key: its {@linkplain Hold#token() token} is for
   * guards, and {@link Hold#onLoss} reports a loss at once. Only {@code unlock()} releases it.
   *
   * @throws IllegalMonitorStateException when the current thread has not locked it
   */
  public Hold hold(Object lockKey) {
    return javaLock(holdfast, text(lockKey)).hold();
  }

  /** Returns whether the current thread has locked the key and may still believe it. */
  public boolean isHeldByCurrentThread(Object lockKey) {
    try {
      return hold(lockKey).isHeld();
    } catch (IllegalMonitorStateException e) {
      return false;
    }
  }

  /** Does nothing: locks are not cached. */
  @Override
  public void expireUnusedOlderThan(long age) {}

  /**
   * Checks that the current thread still holds the lock, which is renewed without this call.
   *
   * @throws IllegalStateException when the current thread has not locked it, or has lost it
   */
  @Override
  public void renewLock(Object lockKey) {
    if (!isHeldByCurrentThread(lockKey)) {
      throw new IllegalStateException(
          "could not renew "
              + prefix
              + text(lockKey)
              + ": thread "
              + Thread.currentThread().getName()
              + " does not hold it, or has lost it");
    }
  }

  /**
   * As {@link #renewLock(Object)}. The lease of a lock stays as it was when it was taken.
   *
   * @param ttl ignored: a lock that is in use does not end by time
   */
  @Override // From 7.0 on; on 6.5 it is a method of this class alone.
  public void renewLock(Object lockKey, Duration ttl) {
    renewLock(lockKey);
  }
}
