package io.holdfast.benchmarks.migration;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.spring.integration.HoldfastLockRegistry;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import javax.sql.DataSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.scheduling.TaskScheduler;

/** The lines of docs/migrating-from-spring-integration.md, for the compiler. */
@SuppressWarnings("unused")
final class FromSpringIntegration {

  private FromSpringIntegration() {}

  private void wrote(RedisConnectionFactory connections, TaskScheduler scheduler) {
    var locks = new RedisLockRegistry(connections, "orders");
    var shorter = new RedisLockRegistry(connections, "orders", 30_000);
    locks.setRenewalTaskScheduler(scheduler);
    locks.expireUnusedOlderThan(60_000);
    locks.renewLock("42");
  }

  private void wrote(DataSource dataSource) {
    var repository = new DefaultLockRepository(dataSource);
    var locks = new JdbcLockRegistry(repository);
  }

  private void write(Holdfast holdfast) {
    var locks = new HoldfastLockRegistry(holdfast, "orders/");
    var options = HoldfastOptions.DEFAULTS.withLease(Duration.ofSeconds(30));
    Lock lock = locks.obtain("42");
    var initiator = new LockRegistryLeaderInitiator(locks);
    long token = locks.hold("42").token();
  }
}
