package io.holdfast.spring.boot;

import io.holdfast.AcquireTracer;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener;
import io.holdfast.jdbc.guard.SqlFenceGuard;
import io.holdfast.spi.LockEngine;
import io.holdfast.spring.HoldfastConfiguration;
import io.holdfast.spring.LockedSettings;
import io.holdfast.spring.SqlTransactionFence;
import io.holdfast.spring.TransactionFence;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** The client, the annotations and the end of both. */
@AutoConfiguration(
    afterName = {
      // Boot 3, then Boot 4.
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
      "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
    })
@ConditionalOnProperty(name = "holdfast.enabled", havingValue = "true", matchIfMissing = true)
@EnableConfigurationProperties(HoldfastProperties.class)
@Import({StoreSources.class, HoldfastConfiguration.class})
public class HoldfastAutoConfiguration {

  HoldfastAutoConfiguration() {}

  @Bean
  ClientFactory holdfastClientFactory(
      HoldfastProperties properties,
      Environment environment,
      ConfigurableListableBeanFactory beans,
      ObjectProvider<HoldfastListener> listeners,
      ObjectProvider<AcquireTracer> tracers,
      ObjectProvider<HoldfastCustomizer> customizers,
      ObjectProvider<ClientMeters> meters) {
    return new ClientFactory(
        properties, environment, beans, listeners, tracers, customizers, meters);
  }

  /** Closed by {@link HoldfastLifecycle} in time, and here when the start has failed. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Holdfast holdfast(
      ClientFactory clients,
      ObjectProvider<LockEngine> engines,
      ObjectProvider<StoreSource> stores) {
    return clients.main(engines, stores);
  }

  @Bean
  HoldfastLifecycle holdfastLifecycle(
      ApplicationContext context, ListableBeanFactory beans, HoldfastProperties properties) {
    HoldfastProperties.Shutdown shutdown = properties.shutdown();
    PropertyValues.requireNotNegative("holdfast.shutdown.drain", shutdown.drain());
    PropertyValues.requireNotNegative("holdfast.shutdown.grace", shutdown.grace());
    return new HoldfastLifecycle(context, beans, shutdown);
  }

  /** Needed by advice, which is created before properties are bound to beans. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  @ConditionalOnMissingBean
  static LockedSettings holdfastLockedSettings(Environment environment) {
    HoldfastProperties.Locked locked =
        Binder.get(environment).bindOrCreate("holdfast.locked", HoldfastProperties.Locked.class);
    LockedSettings settings =
        LockedSettings.DEFAULTS
            .withInTransaction(locked.inTransaction())
            .withSession(locked.session())
            .withCheck(locked.check());
    settings =
        PropertyValues.checked("holdfast.locked.wait-for", locked.waitFor(), settings::withWaitFor);
    return PropertyValues.checked("holdfast.locked.order", locked.order(), settings::withOrder);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({SqlFenceGuard.class, DataSourceUtils.class})
  static class Fences {

    @Bean
    @ConditionalOnMissingBean
    TransactionFence holdfastTransactionFence(HoldfastProperties properties) {
      return PropertyValues.checked(
          "holdfast.fence.table",
          properties.fence().table(),
          table -> new SqlTransactionFence(table, properties.fence().create()));
    }
  }
}
