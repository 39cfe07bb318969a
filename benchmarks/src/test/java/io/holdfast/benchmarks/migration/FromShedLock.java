package io.holdfast.benchmarks.migration;

import io.holdfast.Holdfast;
import io.holdfast.shedlock.HoldfastLockProvider;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;

/** The lines of docs/migrating-from-shedlock.md, for the compiler. */
@SuppressWarnings("unused")
final class FromShedLock {

  private FromShedLock() {}

  private void wrote(DataSource dataSource) {
    LockProvider provider = new JdbcTemplateLockProvider(dataSource);
  }

  private void wrote(ExtensibleLockProvider provider, ScheduledExecutorService executor) {
    LockProvider renewing = new KeepAliveLockProvider(provider, executor);
  }

  private void write(Holdfast holdfast) {
    LockProvider provider = new HoldfastLockProvider(holdfast);
  }

  private void unchanged(LockProvider provider, Runnable task, LockConfiguration configuration) {
    new DefaultLockingTaskExecutor(provider).executeWithLock(task, configuration);
    LockExtender.extendActiveLock(Duration.ofMinutes(10), Duration.ZERO);
    LockAssert.assertLocked();
  }
}
