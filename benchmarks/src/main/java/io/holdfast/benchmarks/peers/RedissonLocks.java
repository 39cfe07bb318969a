package io.holdfast.benchmarks.peers;

import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.Units;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson on one server with its defaults: a watchdog instead of a lease. */
final class RedissonLocks {

  private static final Duration WAIT = Duration.ofSeconds(20);

  private RedissonLocks() {}

  static Contender.Session plain(Peer.Target target) {
    return open(target, client -> watched(client::getLock));
  }

  static Contender.Session fair(Peer.Target target) {
    return open(target, client -> watched(client::getFairLock));
  }

  static Contender.Session fenced(Peer.Target target) {
    return open(target, FencedCaller::new);
  }

  private static Contender.Session open(
      Peer.Target target, Function<RedissonClient, Contender.Caller> caller) {
    Config config = new Config();
    config.useSingleServer().setAddress(PeerAddresses.redis(target.store()).uri());
    config.setLockWatchdogTimeout(target.lease().toMillis());
    RedissonClient client = Redisson.create(config);
    return new PeerSession(() -> caller.apply(client), client::shutdown);
  }

  private static Contender.Caller watched(Function<String, RLock> locks) {
    return new PeerCaller<RLock>(
        name -> {
          RLock lock = locks.apply(name);
          lock.lockInterruptibly();
          return lock;
        },
        RLock::unlock) {
      @Override
      boolean isHeld(RLock lock) {
        return lock.isHeldByCurrentThread();
      }
    };
  }

  private record Fenced(RFencedLock lock, long token) {}

  private static final class FencedCaller extends PeerCaller<Fenced> {

    FencedCaller(RedissonClient client) {
      super(name -> take(client.getFencedLock(name)), held -> held.lock().unlock());
    }

    private static Fenced take(RFencedLock lock) {
      // The call without a limit cannot be interrupted.
      Long token = lock.tryLockAndGetToken(WAIT.toMillis(), TimeUnit.MILLISECONDS);
      if (token == null) {
        throw new IllegalStateException("not acquired within " + Units.nanos(WAIT.toNanos()));
      }
      return new Fenced(lock, token);
    }

    @Override
    long token(Fenced held) {
      return held.token();
    }

    @Override
    boolean isHeld(Fenced held) {
      return held.lock().isHeldByCurrentThread();
    }
  }
}
