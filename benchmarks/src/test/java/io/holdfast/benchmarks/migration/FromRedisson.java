package io.holdfast.benchmarks.migration;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.JavaLock;
import io.holdfast.MultiHold;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** The lines of docs/migrating-from-redisson.md, for the compiler. */
@SuppressWarnings({"unused", "FutureReturnValueIgnored", "LockNotBeforeTry"})
final class FromRedisson {

  private final Duration wait = Duration.ofSeconds(5);

  private FromRedisson() {}

  private void wrote(RedissonClient redisson) throws Exception {
    RLock lock = redisson.getLock("orders/42");
    lock.lock();
    lock.unlock();
    boolean atOnce = lock.tryLock();
    boolean soon = lock.tryLock(5, TimeUnit.SECONDS);
    lock.lock(30, TimeUnit.SECONDS);
    boolean held = lock.isHeldByCurrentThread();
    lock.forceUnlock();
    lock.lockAsync();
    RLock fair = redisson.getFairLock("orders/42");
    long token = redisson.getFencedLock("orders/42").lockAndGetToken();
    RLock reader = redisson.getReadWriteLock("report").readLock();
    RLock both = redisson.getMultiLock(redisson.getLock("a"), redisson.getLock("b"));
    RPermitExpirableSemaphore pool = redisson.getPermitExpirableSemaphore("pool");
    boolean first = pool.trySetPermits(5);
    String permit = pool.acquire(30, TimeUnit.SECONDS);
    pool.release(permit);
  }

  private RedissonClient connected() {
    Config config = new Config();
    config.useSingleServer().setAddress("redis://localhost:6379");
    config.setLockWatchdogTimeout(30_000);
    return Redisson.create(config);
  }

  private Holdfast connects() {
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withLease(Duration.ofSeconds(30));
    return Holdfast.connect("redis://localhost:6379", options);
  }

  private void writeJavaLock(Holdfast holdfast) {
    JavaLock lock = holdfast.lock("orders/42").asJavaLock();
    lock.lock();
    lock.unlock();
    boolean held = lock.hold().isHeld();
    long token = lock.hold().token();
  }

  private void write(Holdfast holdfast) throws Exception {
    DistributedLock lock = holdfast.lock("orders/42");
    Hold hold = lock.acquire();
    hold.close();
    Optional<Hold> atOnce = lock.tryAcquire();
    Optional<Hold> soon = lock.tryAcquire(Duration.ofSeconds(5));
    Holdfast limited = holdfast.with(o -> o.withMaxHold(Duration.ofSeconds(30)));
    Holdfast fixed = holdfast.with(o -> o.withFixedLease(Duration.ofSeconds(30)));
    boolean held = hold.isHeld();
    CompletableFuture<Hold> later = lock.acquireAsync(wait);
    Holdfast fair = holdfast.with(o -> o.withOrder(Order.FIFO));
    long token = hold.token();
    DistributedLock reader = holdfast.readWriteLock("report").readLock();
    MultiHold both = holdfast.multiLock("a", "b").acquire(wait);
    Hold permit = holdfast.semaphore("pool", 5).acquire(wait);
    permit.close();
  }

  private void evict(Holdfast holdfast, long token) throws EngineException {
    EngineInspector inspector = holdfast.inspector().orElseThrow();
    inspector.evict(new Resource("default", "orders/42"), token, "stuck");
  }
}
