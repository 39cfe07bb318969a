package io.holdfast.spring.boot;

import io.grpc.Channel;
import io.holdfast.etcd.EtcdEngine;
import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.redis.LettuceRedis;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import io.holdfast.spring.boot.HoldfastProperties.Store;
import io.holdfast.zookeeper.ZooKeeperEngine;
import io.holdfast.zookeeper.ZooKeeperOptions;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The stores that beans of the application have. Nothing here connects. */
@Configuration(proxyBeanMethods = false)
@Import({
  StoreSources.OfDataSource.class,
  StoreSources.OfRedis.class,
  StoreSources.OfZooKeeper.class,
  StoreSources.OfEtcd.class
})
class StoreSources {

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(JdbcEngine.class)
  @ConditionalOnBean(DataSource.class)
  static class OfDataSource {

    @Bean
    StoreSource holdfastDataSourceStore(
        AutowireCapableBeanFactory beans, Environment environment, HoldfastProperties properties) {
      return new StoreSource(
          Store.DATASOURCE,
          false,
          settings -> {
            DataSource source = StoreBean.only(beans, Store.DATASOURCE, DataSource.class).bean();
            DataSourceAddress address = DataSourceAddress.of(source, environment);
            return properties.datasource().sharedPool()
                ? JdbcEngine.over(source, address.options(), settings)
                : JdbcEngine.open(address.options(), settings);
          });
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({LettuceRedis.class, AbstractRedisClient.class})
  @ConditionalOnBean(
      type = "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory")
  static class OfRedis {

    @Bean
    StoreSource holdfastRedisStore(AutowireCapableBeanFactory beans) {
      return new StoreSource(
          Store.REDIS,
          false,
          settings ->
              engine(StoreBean.only(beans, Store.REDIS, LettuceConnectionFactory.class), settings));
    }

    private static LockEngine engine(
        StoreBean<LettuceConnectionFactory> factory, Settings settings) {
      AbstractRedisClient client = client(factory);
      // A factory that is stopped and started again, as for a pause, has another client.
      if (client instanceof RedisClusterClient) {
        return LettuceRedis.clusterEngine(
            () -> (RedisClusterClient) factory.bean().getRequiredNativeClient(),
            settings.operationTimeout());
      }
      if (client instanceof RedisClient) {
        return LettuceRedis.serverEngine(
            () -> (RedisClient) factory.bean().getRequiredNativeClient(),
            settings.operationTimeout());
      }
      throw new StoreConfigurationException(
          factory.label() + " has a client that cannot be used, " + client.getClass().getName(),
          "set holdfast.url, such as redis://host");
    }

    /** The factory makes its client when it is started, and a program may put that off. */
    private static AbstractRedisClient client(StoreBean<LettuceConnectionFactory> factory) {
      if (!factory.bean().isRunning()) {
        throw new StoreConfigurationException(
            factory.label() + " is not started",
            "leave its earlyStartup on, start it in its bean method, or set holdfast.url");
      }
      return factory.bean().getRequiredNativeClient();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({ZooKeeperEngine.class, ZooKeeper.class})
  @ConditionalOnBean(
      type = "org.apache.zookeeper.ZooKeeper",
      parameterizedContainer = Supplier.class)
  static class OfZooKeeper {

    /** A supplier, which can replace a session that is over, is preferred to one session. */
    @Bean
    StoreSource holdfastZooKeeperStore(
        AutowireCapableBeanFactory beans, ObjectProvider<Supplier<ZooKeeper>> suppliers) {
      return new StoreSource(
          Store.ZOOKEEPER,
          false,
          settings -> {
            Supplier<ZooKeeper> supplier = supplier(suppliers);
            ZooKeeperOptions options = ZooKeeperOptions.of("zookeeper://application");
            return supplier == null
                ? ZooKeeperEngine.over(
                    StoreBean.only(beans, Store.ZOOKEEPER, ZooKeeper.class).bean(),
                    options,
                    settings)
                : ZooKeeperEngine.over(supplier, options, settings);
          });
    }

    private static @Nullable Supplier<ZooKeeper> supplier(
        ObjectProvider<Supplier<ZooKeeper>> suppliers) {
      try {
        return suppliers.getIfAvailable();
      } catch (NoUniqueBeanDefinitionException e) {
        throw StoreBean.several(Store.ZOOKEEPER, "Supplier<ZooKeeper>", e);
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({EtcdEngine.class, Channel.class})
  @ConditionalOnBean(type = "io.grpc.Channel")
  static class OfEtcd {

    /** A channel may lead anywhere, so this is never guessed. */
    @Bean
    StoreSource holdfastEtcdStore(AutowireCapableBeanFactory beans) {
      return new StoreSource(
          Store.ETCD,
          true,
          settings -> {
            StoreBean<Channel> channel = StoreBean.only(beans, Store.ETCD, Channel.class);
            return EtcdEngine.over(channel.bean(), "etcd (bean '" + channel.name() + "')");
          });
    }
  }
}
