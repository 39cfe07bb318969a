package io.holdfast.benchmarks.peers;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.DatabaseAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * ShedLock over a database, by the database's clock.
 *
 * <p>It only tries, as it is made for jobs that another machine may run instead: waiters poll. A
 * lock is free again after the lease; nothing renews it.
 */
final class ShedLockLocks {

  // From its README.
  private static final String POSTGRES_TABLE =
      """
      CREATE TABLE IF NOT EXISTS shedlock(name VARCHAR(64) NOT NULL, lock_until TIMESTAMP NOT NULL,
        locked_at TIMESTAMP NOT NULL, locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))
      """;
  private static final String MARIADB_TABLE =
      """
      CREATE TABLE IF NOT EXISTS shedlock(name VARCHAR(64) NOT NULL,
        lock_until TIMESTAMP(3) NOT NULL,
        locked_at TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
        locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))
      """;

  private ShedLockLocks() {}

  static Contender.Session open(Peer.Target target) throws SQLException {
    DatabaseAddress database = PeerAddresses.database(target.store());
    HikariDataSource pool = DatabasePool.defaults(database);
    try {
      DatabasePool.create(pool, database.isPostgres() ? POSTGRES_TABLE : MARIADB_TABLE);
      LockProvider provider =
          new JdbcTemplateLockProvider(
              JdbcTemplateLockProvider.Configuration.builder()
                  .withJdbcTemplate(new JdbcTemplate(pool))
                  .usingDbTime()
                  .build());
      return new PeerSession(
          () -> new PeerCaller<>(name -> take(provider, name, target.lease()), SimpleLock::unlock),
          pool);
    } catch (SQLException | RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private static SimpleLock take(LockProvider provider, String name, Duration lease)
      throws Exception {
    return PollingWait.untilPresent(
        () -> {
          Optional<SimpleLock> taken =
              provider.lock(new LockConfiguration(Instant.now(), name, lease, Duration.ZERO));
          return taken;
        });
  }
}
