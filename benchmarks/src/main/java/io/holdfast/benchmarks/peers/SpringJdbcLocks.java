package io.holdfast.benchmarks.peers;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.DatabaseAddress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Spring Integration's registry over a database, with its defaults except for the expiry.
 *
 * <p>A lock is free again after the lease; nothing renews it.
 */
final class SpringJdbcLocks {

  private static final String CREATE = "CREATE TABLE INT_LOCK";

  private SpringJdbcLocks() {}

  static Contender.Session open(Peer.Target target) throws Exception {
    DatabaseAddress database = PeerAddresses.database(target.store());
    HikariDataSource pool = DatabasePool.defaults(database);
    try {
      DatabasePool.create(pool, table(database));
      DefaultLockRepository repository = new DefaultLockRepository(pool);
      repository.setTransactionManager(new JdbcTransactionManager(pool));
      // What an application context does with a bean.
      repository.afterPropertiesSet();
      repository.afterSingletonsInstantiated();
      repository.start();
      JdbcLockRegistry registry = new JdbcLockRegistry(repository, target.lease());
      return new PeerSession(() -> PeerCaller.ofLocks(registry::obtain), repository, pool);
    } catch (Exception e) {
      pool.close();
      throw e;
    }
  }

  /** Returns the table from the library's own script, which creates many others too. */
  private static String table(DatabaseAddress database) throws IOException {
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
}
