package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.etcd.EtcdEngine;
import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.guard.SqlFenceGuard;
import io.holdfast.redis.LettuceRedis;
import io.holdfast.spi.Order;
import io.holdfast.spring.BoundSession;
import io.holdfast.spring.Holds;
import io.holdfast.spring.InTransaction;
import io.holdfast.spring.Locked;
import io.holdfast.spring.LockedSettings;
import io.holdfast.spring.TransactionFence;
import io.holdfast.zookeeper.ZooKeeperEngine;
import java.io.InputStream;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Every property set to another value, with an observed effect; U53: several clients. */
@Timeout(120)
class HoldfastPropertiesTest {

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  AopAutoConfiguration.class,
                  HoldfastAutoConfiguration.class,
                  HoldfastClientsAutoConfiguration.class));

  private final ApplicationContextRunner memory = runner.withPropertyValues("holdfast.url=memory:");

  static class Pool {
    @Bean
    HikariDataSource dataSource() {
      HikariDataSource source = new HikariDataSource();
      source.setJdbcUrl("jdbc:h2:mem:properties;DB_CLOSE_DELAY=-1");
      source.setMinimumIdle(0);
      return source;
    }
  }

  /** Nothing listens there. */
  static class DeadPool {
    @Bean
    HikariDataSource dataSource() {
      HikariDataSource source = new HikariDataSource();
      source.setJdbcUrl("jdbc:postgresql://127.0.0.1:1/app?connectTimeout=1");
      source.setUsername("app");
      return source;
    }
  }

  /** Knows no tenant at the start. */
  static class Routing extends AbstractRoutingDataSource {
    @Override
    public void afterPropertiesSet() {}

    @Override
    protected Object determineCurrentLookupKey() {
      throw new IllegalStateException("asked for a connection where there is no tenant");
    }
  }

  static class Redis {
    @Bean
    LettuceConnectionFactory redis() {
      return new LettuceConnectionFactory("127.0.0.1", 1);
    }
  }

  static class OwnClient {
    @Bean
    Holdfast mine() {
      return Holdfast.connect("memory:", HoldfastOptions.DEFAULTS.withNamespace("mine"));
    }
  }

  static class Customized {
    @Bean
    HoldfastCustomizer customizer() {
      return options -> options.withText("rack 7");
    }
  }

  static class Guarded {
    @Locked("default")
    public String here() {
      return Holds.require().namespace();
    }

    @Locked(name = "other", client = "reports")
    public String there() {
      return Holds.require().namespace();
    }
  }

  /** Runs with a lock or without. */
  static class Unguarded {
    @Locked("x")
    public boolean isHeld() {
      return Holds.current().isPresent();
    }
  }

  record Injected(Holdfast main, @Qualifier("reports") Holdfast reports) {}

  private static HoldfastOptions options(org.springframework.context.ApplicationContext context) {
    return context.getBean(Holdfast.class).options();
  }

  @Test
  void defaults() {
    memory.run(
        context -> {
          assertThat(options(context).namespace()).isEqualTo("default");
          assertThat(options(context).lease()).isEqualTo(Duration.ofSeconds(30));
          assertThat(options(context).order()).isEqualTo(Order.ANY);
          assertThat(context.getBean(LockedSettings.class)).isEqualTo(LockedSettings.DEFAULTS);
          assertThat(context).hasSingleBean(TransactionFence.class);
        });
  }

  @Test
  void optionsOfTheClient() {
    memory
        .withPropertyValues(
            "holdfast.namespace=shop",
            "holdfast.lease=12s",
            "holdfast.order=fifo",
            "holdfast.lanes=3",
            "holdfast.fail-fast=true",
            "spring.application.name=Shop App")
        .withUserConfiguration(Customized.class)
        .run(
            context -> {
              HoldfastOptions options = options(context);
              assertThat(options.namespace()).isEqualTo("shop");
              assertThat(options.lease()).isEqualTo(Duration.ofSeconds(12));
              assertThat(options.order()).isEqualTo(Order.FIFO);
              assertThat(options.lanes()).isEqualTo(3);
              assertThat(options.failFast()).isTrue();
              assertThat(options.app()).isEqualTo("Shop App");
              assertThat(options.text()).isEqualTo("rack 7");
            });
  }

  @Test
  void theNamespaceIsTheApplicationByDefault() {
    memory
        .withPropertyValues("spring.application.name=_Shop App (EU)")
        .run(context -> assertThat(options(context).namespace()).isEqualTo("shop-app--eu-"));
  }

  @Test
  void settingsOfTheAnnotations() {
    memory
        .withPropertyValues(
            "holdfast.locked.wait-for=3s",
            "holdfast.locked.order=5",
            "holdfast.locked.in-transaction=defer",
            "holdfast.locked.session=ignore",
            "holdfast.locked.check=false")
        .run(
            context ->
                assertThat(context.getBean(LockedSettings.class))
                    .isEqualTo(
                        new LockedSettings(
                            Duration.ofSeconds(3),
                            5,
                            InTransaction.DEFER,
                            BoundSession.IGNORE,
                            false)));
  }

  @Test
  void disabledLocksNothingAndWarnsOnce() {
    assertThat(ImportCandidates.load(AutoConfiguration.class, null).getCandidates())
        .contains(HoldfastDisabledAutoConfiguration.class.getName());
    ApplicationContextRunner all =
        memory
            .withConfiguration(AutoConfigurations.of(HoldfastDisabledAutoConfiguration.class))
            .withBean(Unguarded.class);
    for (String value : List.of("false", "off")) {
      assertThat(
              warnings(
                  () ->
                      all.withPropertyValues("holdfast.enabled=" + value)
                          .run(
                              context -> {
                                assertThat(context).hasNotFailed();
                                assertThat(context).doesNotHaveBean(Holdfast.class);
                                assertThat(context.getBean(Unguarded.class).isHeld()).isFalse();
                              })))
          .singleElement()
          .asString()
          .contains("holdfast.enabled is not true: nothing is locked");
    }
    for (String value : List.of("holdfast.enabled=true", "holdfast.lanes=0")) {
      assertThat(
              warnings(
                  () ->
                      all.withPropertyValues(value)
                          .run(
                              context ->
                                  assertThat(context.getBean(Unguarded.class).isHeld()).isTrue())))
          .isEmpty();
    }
  }

  private static List<String> warnings(Runnable start) {
    List<String> warnings = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord logged) {
            if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
              warnings.add(logged.getMessage());
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("io.holdfast.spring");
    logger.addHandler(handler);
    try {
      start.run();
    } finally {
      logger.removeHandler(handler);
    }
    return warnings;
  }

  @Test
  void aClientOfTheApplicationIsUsed() {
    runner
        .withUserConfiguration(OwnClient.class)
        .run(context -> assertThat(options(context).namespace()).isEqualTo("mine"));
  }

  @Test
  void withoutAStoreTheStartFailsAndSaysWhatToSet() {
    runner.run(
        context ->
            assertThat(context.getStartupFailure())
                .hasStackTraceContaining("holdfast.url is not set")
                .hasStackTraceContaining("redis://host"));
    runner
        .withPropertyValues("holdfast.store=zookeeper")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("holdfast.store=zookeeper has no bean"));
  }

  @Test
  void theOnlyStoreOfABeanIsUsed() {
    runner
        .withUserConfiguration(Pool.class)
        .run(
            context -> {
              Holdfast holdfast = context.getBean(Holdfast.class);
              try (Hold hold = holdfast.lock("x").acquire(Duration.ofSeconds(10))) {
                assertThat(hold.isHeld()).isTrue();
                assertThat(holdfast.traits().store()).contains("h2");
                assertThat(context.getBean(HikariDataSource.class).getHikariPoolMXBean())
                    .as("rule 13: nothing was taken from the pool")
                    .isNull();
              }
            });
  }

  @Test
  void rule13ThePoolCanBeShared() {
    runner
        .withUserConfiguration(Pool.class)
        .withPropertyValues("holdfast.datasource.shared-pool=true")
        .run(
            context -> {
              Holdfast holdfast = context.getBean(Holdfast.class);
              try (Hold hold = holdfast.lock("x").acquire(Duration.ofSeconds(10))) {
                assertThat(
                        context
                            .getBean(HikariDataSource.class)
                            .getHikariPoolMXBean()
                            .getActiveConnections())
                    .isPositive();
              }
            });
  }

  @Test
  void u53ARoutingDataSourceIsNotAskedAtTheStart() {
    ApplicationContextRunner routing = runner.withBean(Routing.class);
    routing.run(
        context ->
            assertThat(context.getStartupFailure())
                .hasStackTraceContaining("the address of the DataSource is not known")
                .hasStackTraceContaining("set holdfast.url"));
    routing
        .withPropertyValues("spring.datasource.url=jdbc:h2:mem:routing;DB_CLOSE_DELAY=-1")
        .run(
            context -> {
              Holdfast holdfast = context.getBean(Holdfast.class);
              try (Hold hold = holdfast.lock("x").acquire(Duration.ofSeconds(10))) {
                assertThat(hold.isHeld()).isTrue();
              }
              assertThat(holdfast.traits().store()).contains("h2");
            });
  }

  @Test
  void severalStoresAreNotGuessedBetween() {
    ApplicationContextRunner both = runner.withUserConfiguration(Pool.class, Redis.class);
    both.run(
        context ->
            assertThat(context.getStartupFailure())
                .hasStackTraceContaining("set holdfast.store to one of [datasource, redis]"));
    both.withPropertyValues("holdfast.store=datasource")
        .run(
            context -> assertThat(context.getBean(Holdfast.class).traits().store()).contains("h2"));
  }

  @Test
  void rule14TheStartWorksWhileTheDatabaseIsDown() {
    runner
        .withUserConfiguration(DeadPool.class)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              HealthReport report = HealthReport.of(context.getBean(Holdfast.class));
              assertThat(report.status()).isEqualTo("DOWN");
            });
  }

  @Test
  void failFastReversesThat() {
    runner
        .withUserConfiguration(DeadPool.class)
        .withPropertyValues("holdfast.fail-fast=true")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasRootCauseInstanceOf(ConnectException.class));
  }

  @Test
  void theTableOfTheFence() {
    ApplicationContextRunner pool =
        memory
            .withUserConfiguration(Pool.class)
            .withPropertyValues("holdfast.fence.table=app_fence");
    pool.run(context -> assertThat(fenceIsThere(context)).as("not created").isFalse());
    pool.withPropertyValues("holdfast.fence.create=true")
        .run(context -> assertThat(fenceIsThere(context)).as("created").isTrue());
  }

  private static boolean fenceIsThere(AssertableApplicationContext context) throws SQLException {
    DataSource source = context.getBean(DataSource.class);
    context.getBean(TransactionFence.class).prepare(source);
    try (Connection connection = source.getConnection();
        ResultSet tables = connection.getMetaData().getTables(null, null, "APP_FENCE", null)) {
      return tables.next();
    }
  }

  @Test
  void moreClientsAreInjectedByQualifierAndSelectedByAnnotations() {
    memory
        .withPropertyValues(
            "holdfast.namespace=main",
            "holdfast.clients.reports.url=memory:",
            "holdfast.clients.reports.namespace=reports",
            "holdfast.clients.reports.lease=9s")
        .withBean(Guarded.class)
        .withBean(Injected.class)
        .run(
            context -> {
              Injected injected = context.getBean(Injected.class);
              assertThat(injected.main().options().namespace()).isEqualTo("main");
              assertThat(injected.reports().options().namespace()).isEqualTo("reports");
              assertThat(injected.reports().options().lease()).isEqualTo(Duration.ofSeconds(9));
              Guarded guarded = context.getBean(Guarded.class);
              assertThat(guarded.here()).isEqualTo("main");
              assertThat(guarded.there()).isEqualTo("reports");
            });
  }

  @Test
  void enginesThatAreNotThereAreNotNeeded() {
    memory
        .withClassLoader(
            new FilteredClassLoader(
                JdbcEngine.class,
                SqlFenceGuard.class,
                LettuceRedis.class,
                ZooKeeperEngine.class,
                EtcdEngine.class))
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context).doesNotHaveBean(TransactionFence.class);
            });
  }

  @Test
  void propertiesHaveMetadata() throws Exception {
    try (InputStream metadata =
        HoldfastProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      assertThat(metadata).isNotNull();
      assertThat(new String(metadata.readAllBytes(), StandardCharsets.UTF_8))
          .contains("holdfast.locked.in-transaction", "holdfast.shutdown.drain", "holdfast.url")
          .contains("How long the store keeps a hold whose process has ended.");
    }
  }
}
