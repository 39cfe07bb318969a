package io.holdfast.spring;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;

/** A program over a database, which has its locks as well: one of several machines. */
final class DatabaseContext {

  private DatabaseContext() {}

  @Configuration(proxyBeanMethods = false)
  @EnableHoldfast
  @EnableTransactionManagement(proxyTargetClass = true)
  static class App {

    @Bean
    static LockedSettings settings(Environment environment) {
      return LockedSettings.DEFAULTS
          .withWaitFor(Duration.ofSeconds(30))
          .withInTransaction(
              environment.getProperty("in-transaction", InTransaction.class, InTransaction.REFUSE))
          .withSession(
              environment.getProperty("session", BoundSession.class, BoundSession.PUT_AWAY));
    }

    @Bean
    HikariDataSource dataSource(Environment environment) {
      HikariDataSource source = new HikariDataSource();
      source.setJdbcUrl(environment.getRequiredProperty("url"));
      source.setMaximumPoolSize(environment.getProperty("connections", Integer.class, 10));
      source.setConnectionTimeout(
          environment.getProperty("connection-timeout", Long.class, 30_000L));
      source.setAutoCommit(environment.getProperty("auto-commit", Boolean.class, true));
      return source;
    }

    @Bean
    Holdfast holdfast(Environment environment) {
      return Holdfast.connect(
          environment.getRequiredProperty("url"),
          HoldfastOptions.DEFAULTS.withNamespace("spring").withLease(Duration.ofSeconds(10)));
    }

    @Bean
    JdbcTemplate jdbc(DataSource source) {
      return new JdbcTemplate(source);
    }

    @Bean
    TransactionFence fence() {
      return new SqlTransactionFence(SqlTransactionFence.DEFAULT_TABLE, true);
    }
  }

  /** Transactions of plain JDBC, of two managers. */
  static class JdbcTransactions {

    @Bean
    @Primary
    JdbcTransactionManager main(DataSource source) {
      return new JdbcTransactionManager(source);
    }

    @Bean
    JdbcTransactionManager other(DataSource source) {
      return new JdbcTransactionManager(source);
    }

    @Bean
    @Primary
    TransactionTemplate mainTransaction(JdbcTransactionManager main) {
      return new TransactionTemplate(main);
    }
  }

  static AnnotationConfigApplicationContext start(
      String url, Map<String, Object> properties, Class<?>... beans) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put("url", url);
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", all));
    context.register(App.class);
    context.register(beans);
    context.refresh();
    return context;
  }

  /** Runs a task many times on eight threads; returns what failed. */
  static List<Throwable> race(int times, java.util.function.IntConsumer task) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Throwable> failures = new ArrayList<>();
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < times; i++) {
        int number = i;
        all.add(threads.submit(() -> task.accept(number)));
      }
      for (Future<?> each : all) {
        try {
          each.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
          failures.add(e.getCause());
        }
      }
    } finally {
      threads.shutdownNow();
    }
    return failures;
  }
}
