package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** U53: a database for each tenant, behind one DataSource that knows the tenant of the call. */
@Timeout(60)
class U53RoutingTest {

  private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

  @Configuration(proxyBeanMethods = false)
  @EnableHoldfast
  @EnableTransactionManagement
  static class App {
    @Bean
    Holdfast holdfast() {
      return Holdfast.connect("memory:");
    }

    @Bean
    Routing routing() {
      return new Routing();
    }

    @Bean
    DataSource dataSource(Routing routing) {
      return new LazyConnectionDataSourceProxy(routing);
    }

    @Bean
    JdbcTransactionManager transactionManager(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @Bean
    TransactionFence fence() {
      return new SqlTransactionFence(SqlTransactionFence.DEFAULT_TABLE, true);
    }

    @Bean
    Shop shop() {
      return new Shop();
    }
  }

  /** Fails where no tenant is known, as at the start. */
  static class Routing extends AbstractRoutingDataSource {
    final Map<String, DataSource> all = Map.of("acme", h2("acme"), "umbrella", h2("umbrella"));

    Routing() {
      setTargetDataSources(Map.copyOf(all));
      setLenientFallback(false);
    }

    @Override
    protected Object determineCurrentLookupKey() {
      if (TENANT.get() == null) {
        throw new IllegalStateException("asked for a connection where there is no tenant");
      }
      return TENANT.get();
    }

    private static DataSource h2(String tenant) {
      JdbcDataSource source = new JdbcDataSource();
      source.setUrl("jdbc:h2:mem:routing-" + tenant + ";DB_CLOSE_DELAY=-1");
      return source;
    }
  }

  static class Shop {
    @Locked(name = "{#tenant}/report", fence = true)
    @Transactional
    public String report(String tenant) {
      return Holds.require().name();
    }
  }

  @Test
  void nothingIsAskedAtTheStartAndEachTenantHasItsFence() {
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(App.class)) {
      Shop shop = context.getBean(Shop.class);
      Routing routing = context.getBean(Routing.class);
      routing
          .all
          .keySet()
          .forEach(
              tenant -> {
                TENANT.set(tenant);
                try {
                  assertThat(shop.report(tenant)).isEqualTo(tenant + "/report");
                } finally {
                  TENANT.remove();
                }
              });
      routing.all.forEach(
          (tenant, database) ->
              assertThat(
                      new JdbcTemplate(database)
                          .queryForList("select resource from holdfast_fence", String.class))
                  .as("fences in the database of %s", tenant)
                  .containsExactly("default:" + tenant + "/report"));
    }
  }
}
