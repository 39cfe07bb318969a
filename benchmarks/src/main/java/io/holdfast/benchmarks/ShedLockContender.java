package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * ShedLock over a database, by the database's clock. It only tries, because it is made for jobs
 * that are left to others: who does not get in asks again a little later.
 */
final class ShedLockContender implements Contender {

  // As its README says.
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

  private final Database database;
  private final Duration lease;

  /**
   * A contender over a server that need not be up yet.
   *
   * @param lease after which a lock is free again; nothing renews it
   */
  ShedLockContender(Database database, Duration lease) {
    this.database = database;
    this.lease = lease;
  }

  @Override
  public String name() {
    return DatabasePeers.SHEDLOCK;
  }

  @Override
  public boolean acrossProcesses() {
    return true;
  }

  @Override
  public Session open(Path folder) throws SQLException {
    HikariDataSource pool = DatabasePool.usual(database);
    try {
      DatabasePool.create(pool, database.isPostgres() ? POSTGRES_TABLE : MARIADB_TABLE);
      LockProvider provider =
          new JdbcTemplateLockProvider(
              JdbcTemplateLockProvider.Configuration.builder()
                  .withJdbcTemplate(new JdbcTemplate(pool))
                  .usingDbTime()
                  .build());
      return new Connected(pool, provider, lease);
    } catch (SQLException | RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private record Connected(HikariDataSource pool, LockProvider provider, Duration lease)
      implements Session {

    @Override
    public Caller caller() {
      return new TryingCaller(provider, lease);
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  private static final class TryingCaller implements Caller {
    private final LockProvider provider;
    private final Duration lease;
    private @Nullable SimpleLock held;

    TryingCaller(LockProvider provider, Duration lease) {
      this.provider = provider;
      this.lease = lease;
    }

    @Override
    public long acquire(String name) throws Exception {
      Asking.untilYes(() -> take(name));
      return NO_TOKEN;
    }

    private boolean take(String name) {
      Optional<SimpleLock> got =
          provider.lock(new LockConfiguration(Instant.now(), name, lease, Duration.ZERO));
      held = got.orElse(null);
      return got.isPresent();
    }

    @Override
    public void release() {
      Objects.requireNonNull(held).unlock();
    }
  }
}
