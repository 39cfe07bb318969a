package io.holdfast.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson on one server with its defaults: locks without a lease of their own, and a watchdog. */
final class RedissonContender implements Contender {

  /** Which of its locks. */
  enum Kind {
    PLAIN,
    FAIR,
    FENCED
  }

  private static final Duration WAIT = Duration.ofSeconds(20);

  private final String name;
  private final Kind kind;
  private final RedisAddress address;
  private final Duration lease;

  /**
   * A contender over a server that need not be up yet.
   *
   * @param lease which the watchdog renews
   */
  RedissonContender(String name, Kind kind, RedisAddress address, Duration lease) {
    this.name = name;
    this.kind = kind;
    this.address = address;
    this.lease = lease;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean acrossProcesses() {
    return true;
  }

  @Override
  public Session open(Path folder) {
    Config config = new Config();
    config.useSingleServer().setAddress(address.uri());
    config.setLockWatchdogTimeout(lease.toMillis());
    return new Connected(Redisson.create(config), kind);
  }

  private record Connected(RedissonClient client, Kind kind) implements Session {

    @Override
    public Caller caller() {
      return kind == Kind.FENCED ? new FencedCaller(client) : new LockCaller(client, kind);
    }

    @Override
    public void close() {
      client.shutdown();
    }
  }

  private static final class LockCaller implements Caller {
    private final RedissonClient client;
    private final Kind kind;
    private @Nullable RLock held;

    LockCaller(RedissonClient client, Kind kind) {
      this.client = client;
      this.kind = kind;
    }

    @Override
    public long acquire(String name) throws InterruptedException {
      RLock lock = kind == Kind.FAIR ? client.getFairLock(name) : client.getLock(name);
      lock.lockInterruptibly();
      held = lock;
      return NO_TOKEN;
    }

    @Override
    public void release() {
      Objects.requireNonNull(held).unlock();
    }

    @Override
    public boolean isHeld() {
      return held != null && held.isHeldByCurrentThread();
    }
  }

  private static final class FencedCaller implements Caller {
    private final RedissonClient client;
    private @Nullable RFencedLock held;

    FencedCaller(RedissonClient client) {
      this.client = client;
    }

    @Override
    public long acquire(String name) {
      RFencedLock lock = client.getFencedLock(name);
      // The call without a bound cannot be interrupted.
      Long token = lock.tryLockAndGetToken(WAIT.toMillis(), TimeUnit.MILLISECONDS);
      if (token == null) {
        throw new IllegalStateException("not acquired within " + Units.nanos(WAIT.toNanos()));
      }
      held = lock;
      return token;
    }

    @Override
    public void release() {
      Objects.requireNonNull(held).unlock();
    }

    @Override
    public boolean isHeld() {
      return held != null && held.isHeldByCurrentThread();
    }
  }
}
