package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Spring Integration's registry over a database, with its defaults but for the expiry. */
final class SpringJdbcContender implements Contender {

  private static final String CREATE = "CREATE TABLE INT_LOCK";

  private final Database database;
  private final Duration lease;

  /**
   * A contender over a server that need not be up yet.
   *
   * @param lease after which a lock is free again; nothing renews it
   */
  SpringJdbcContender(Database database, Duration lease) {
    this.database = database;
    this.lease = lease;
  }

  @Override
  public String name() {
    return DatabasePeers.SPRING;
  }

  @Override
  public boolean acrossProcesses() {
    return true;
  }

  @Override
  public Session open(Path folder) throws Exception {
    HikariDataSource pool = DatabasePool.usual(database);
    try {
      DatabasePool.create(pool, table());
      DefaultLockRepository repository = new DefaultLockRepository(pool);
      repository.setTransactionManager(new JdbcTransactionManager(pool));
      // What an application context does with a bean.
      repository.afterPropertiesSet();
      repository.afterSingletonsInstantiated();
      repository.start();
      return new Connected(pool, repository, new JdbcLockRegistry(repository, lease));
    } catch (Exception e) {
      pool.close();
      throw e;
    }
  }

  /** The table as the library's own script makes it, which makes many others too. */
  private String table() throws IOException {
    String script = "schema-" + (database.isPostgres() ? "postgresql" : "mysql") + ".sql";
    String path = "/org/springframework/integration/jdbc/" + script;
    try (InputStream in = DefaultLockRepository.class.getResourceAsStream(path)) {
      String all = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return Stream.of(all.split(";", -1))
          .map(String::strip)
          .filter(statement -> statement.startsWith(CREATE))
          .findFirst()
          .orElseThrow()
          .replace(CREATE, "CREATE TABLE IF NOT EXISTS INT_LOCK");
    }
  }

  private record Connected(
      HikariDataSource pool, DefaultLockRepository repository, JdbcLockRegistry registry)
      implements Session {

    @Override
    public Caller caller() {
      return new LockCaller(registry);
    }

    @Override
    public void close() {
      try {
        repository.close();
      } finally {
        pool.close();
      }
    }
  }

  private static final class LockCaller implements Caller {
    private final JdbcLockRegistry registry;
    private @Nullable Lock held;

    LockCaller(JdbcLockRegistry registry) {
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
