package io.holdfast.spring.integration;

import io.holdfast.HoldfastException;
import io.holdfast.JavaLock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * A lock that can be taken with a time to live. Loaded only where Spring Integration has {@link
 * DistributedLock}, from 7.0 on.
 */
final class TimeToLiveLock extends RegistryLock implements DistributedLock {

  private final Function<Duration, JavaLock> withLease;

  TimeToLiveLock(String name, JavaLock lock, Function<Duration, JavaLock> withLease) {
    super(name, lock);
    this.withLease = withLease;
  }

  @Override
  public void lock(Duration ttl) {
    try {
      withLease.apply(ttl).lock();
    } catch (HoldfastException e) {
      throw notAcquired(e);
    }
  }

  @Override
  public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
    try {
      return withLease.apply(ttl).tryLock(waitTime.toNanos(), TimeUnit.NANOSECONDS);
    } catch (HoldfastException e) {
      throw notAcquired(e);
    }
  }
}
