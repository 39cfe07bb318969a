package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Resource;
import io.holdfast.tck.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.integration.support.locks.DistributedLock;

/** The time to live of a lock, which Spring Integration has from 7.0 on: it is the lease. */
@Timeout(60)
@SuppressWarnings("LockNotBeforeTry") // Each call is tested by itself.
class TimeToLiveTest {

  private final ManualTime time = new ManualTime();
  private final Holdfast holdfast = Holdfast.connect("memory:ttl", HoldfastOptions.DEFAULTS, time);
  private final Holdfast rival = Holdfast.connect("memory:ttl", HoldfastOptions.DEFAULTS, time);
  private final HoldfastLockRegistry registry = new HoldfastLockRegistry(holdfast, "si/");

  @AfterEach
  void close() {
    rival.close(Duration.ZERO);
    holdfast.close(Duration.ZERO);
  }

  private DistributedLock obtain(HoldfastLockRegistry from) {
    return (DistributedLock) from.obtain("a");
  }

  private Duration leaseLeft() throws Exception {
    TicketView ticket =
        rival
            .inspector()
            .orElseThrow()
            .show(new Resource("default", "si/a"))
            .orElseThrow()
            .tickets()
            .get(0);
    return ticket.leaseLeft();
  }

  @Test
  void itIsTheLeaseAndDoesNotEndALockThatIsInUse() throws Exception {
    DistributedLock lock = obtain(registry);
    lock.lock(Duration.ofSeconds(12));
    assertThat(leaseLeft()).isEqualTo(Duration.ofSeconds(12));
    time.advance(Duration.ofMinutes(5));
    assertThat(registry.isHeldByCurrentThread("a")).isTrue();
    assertThat(rival.lock("si/a").tryAcquire()).isEmpty();
    lock.unlock();
    assertThat(rival.lock("si/a").tryAcquire()).isPresent();
  }

  @Test
  void itIsWithinTheBoundsOfLeases() throws Exception {
    DistributedLock lock = obtain(registry);
    assertThat(lock.tryLock(Duration.ofSeconds(1), Duration.ofMillis(10))).isTrue();
    assertThat(leaseLeft()).isEqualTo(HoldfastOptions.LEASE_FLOOR);
    lock.unlock();
    assertThat(lock.tryLock(Duration.ZERO, Duration.ofDays(30))).isTrue();
    assertThat(leaseLeft()).isEqualTo(HoldfastOptions.LEASE_CEILING);
    lock.unlock();
    Holdfast careful = holdfast.with(o -> o.withMargin(Duration.ofSeconds(2)));
    DistributedLock margins = obtain(new HoldfastLockRegistry(careful, "si/"));
    margins.lock(Duration.ofSeconds(3));
    assertThat(leaseLeft()).isEqualTo(Duration.ofSeconds(8));
    margins.unlock();
  }

  @Test
  void itIsReentrantWithLocksThatHaveNone() throws Exception {
    DistributedLock lock = obtain(registry);
    lock.lock();
    lock.lock(Duration.ofSeconds(5));
    assertThat(leaseLeft()).isEqualTo(HoldfastOptions.DEFAULTS.lease());
    lock.unlock();
    assertThat(registry.isHeldByCurrentThread("a")).isTrue();
    lock.unlock();
    assertThat(registry.isHeldByCurrentThread("a")).isFalse();
  }

  @Test
  void aBusyLockIsWaitedForAndNotLonger() throws Exception {
    rival.lock("si/a").acquire(Duration.ofSeconds(1));
    Duration before = Duration.ofNanos(time.nanoTime());
    boolean locked = obtain(registry).tryLock(Duration.ofSeconds(3), Duration.ofSeconds(10));
    assertThat(locked).isFalse();
    assertThat(Duration.ofNanos(time.nanoTime()).minus(before))
        .isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4));
  }

  @Test
  void aRenewalWithAnotherTimeToLiveChecksTheLock() throws Exception {
    DistributedLock lock = obtain(registry);
    lock.lock(Duration.ofSeconds(12));
    registry.renewLock("a", Duration.ofMinutes(1));
    assertThat(leaseLeft()).isLessThanOrEqualTo(Duration.ofSeconds(12));
    lock.unlock();
  }
}
