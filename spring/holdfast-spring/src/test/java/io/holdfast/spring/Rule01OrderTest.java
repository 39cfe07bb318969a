package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Rule 1: outside of transactions and caches, inside of {@code @Async}, however they are ordered.
 */
@Timeout(60)
class Rule01OrderTest {

  @Configuration(proxyBeanMethods = false)
  @EnableHoldfast
  @EnableTransactionManagement
  @EnableCaching
  @EnableAsync
  static class HoldfastFirst extends Beans {}

  @Configuration(proxyBeanMethods = false)
  @EnableAsync
  @EnableCaching
  @EnableTransactionManagement
  @EnableHoldfast
  static class HoldfastLast extends Beans {}

  static class Beans {
    @Bean
    Holdfast holdfast() {
      return Holdfast.connect("memory:");
    }

    @Bean
    DataSource dataSource() {
      JdbcDataSource source = new JdbcDataSource();
      source.setUrl("jdbc:h2:mem:order;DB_CLOSE_DELAY=-1");
      return source;
    }

    @Bean
    JdbcTransactionManager transactionManager(DataSource source) {
      return new JdbcTransactionManager(source);
    }

    @Bean
    CacheManager caches() {
      return new ConcurrentMapCacheManager();
    }

    @Bean
    Service service(Holdfast holdfast) {
      return new Service(holdfast);
    }
  }

  static class Outermost {
    @Bean
    static LockedSettings settings() {
      return LockedSettings.DEFAULTS.withOrder(Ordered.HIGHEST_PRECEDENCE);
    }
  }

  static class Service {
    final Holdfast holdfast;
    final List<String> log = new CopyOnWriteArrayList<>();
    final AtomicInteger computed = new AtomicInteger();

    Service(Holdfast holdfast) {
      this.holdfast = holdfast;
    }

    @Locked("tx")
    @Transactional
    public void inTransaction() {
      log.add("in transaction " + TransactionSynchronizationManager.isActualTransactionActive());
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void afterCommit() {
              log.add("committed, held " + Operators.names(holdfast));
            }
          });
    }

    @Locked("cache/{#id}")
    @Cacheable("values")
    public int cached(int id) {
      return computed.incrementAndGet();
    }

    @Async
    @Locked("async")
    public CompletableFuture<String> async() {
      return CompletableFuture.completedFuture(
          Thread.currentThread().getName() + " " + Operators.names(holdfast));
    }

    @Async
    @Locked("async-void")
    public void asyncVoid(CompletableFuture<String> result) {
      result.complete(Thread.currentThread().getName() + " " + Holds.require().name());
    }
  }

  @Test
  void theOrderOfImportsDoesNotMatter() throws Exception {
    for (Class<?> order : List.of(HoldfastFirst.class, HoldfastLast.class)) {
      try (AnnotationConfigApplicationContext context =
          new AnnotationConfigApplicationContext(order)) {
        Service service = context.getBean(Service.class);
        service.inTransaction();
        Service target = MemoryContext.target(service);
        assertThat(target.log).containsExactly("in transaction true", "committed, held [tx]");
        assertThat(Operators.names(target.holdfast)).isEmpty();

        CompletableFuture<?>[] calls = new CompletableFuture<?>[8];
        for (int i = 0; i < calls.length; i++) {
          calls[i] = Threads.run(() -> service.cached(1));
        }
        CompletableFuture.allOf(calls).get(10, TimeUnit.SECONDS);
        assertThat(target.computed.get()).as("computed under the lock, once").isEqualTo(1);

        assertThat(service.async().get(10, TimeUnit.SECONDS)).endsWith("[async]");
        CompletableFuture<String> result = new CompletableFuture<>();
        service.asyncVoid(result);
        assertThat(result.get(10, TimeUnit.SECONDS))
            .endsWith("async-void")
            .doesNotStartWith(Thread.currentThread().getName());
      }
    }
  }

  @Test
  void theOutermostOrderIsOutermostForAllAdvice() {
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(HoldfastLast.class, Outermost.class)) {
      assertThat(context.getBeansOfType(HoldfastAdvisor.class).values())
          .extracting(HoldfastAdvisor::getOrder)
          .hasSize(3)
          .allMatch(order -> order <= Ordered.HIGHEST_PRECEDENCE + 2);
    }
  }
}
