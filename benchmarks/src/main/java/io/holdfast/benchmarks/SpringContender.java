package io.holdfast.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Spring Integration's registry over Lettuce, with its defaults but for the expiry. */
final class SpringContender implements Contender {

  /** Before the name of every key. */
  private static final String REGISTRY = "bench";

  private final String name;
  private final RedisLockType type;
  private final RedisAddress address;
  private final Duration lease;

  /**
   * A contender over a server that need not be up yet.
   *
   * @param lease after which a lock is free again; nothing renews it
   */
  SpringContender(String name, RedisLockType type, RedisAddress address, Duration lease) {
    this.name = name;
    this.type = type;
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
    LettuceConnectionFactory connections =
        new LettuceConnectionFactory(
            new RedisStandaloneConfiguration(address.host(), address.port()));
    connections.afterPropertiesSet();
    connections.start();
    RedisLockRegistry registry = new RedisLockRegistry(connections, REGISTRY, lease.toMillis());
    registry.setRedisLockType(type);
    return new Connected(connections, registry);
  }

  private record Connected(LettuceConnectionFactory connections, RedisLockRegistry registry)
      implements Session {

    @Override
    public Caller caller() {
      return new LockCaller(registry);
    }

    @Override
    public void close() {
      registry.destroy();
      connections.destroy();
    }
  }

  private static final class LockCaller implements Caller {
    private final RedisLockRegistry registry;
    private @Nullable Lock held;

    LockCaller(RedisLockRegistry registry) {
      this.registry = registry;
    }

    @Override
    public long acquire(String name) throws InterruptedException {
      Lock lock = registry.obtain(name);
      lock.lockInterruptibly();
      held = lock;
      return NO_TOKEN;
    }

    @Override
    public void release() {
      Objects.requireNonNull(held).unlock();
    }
  }
}
