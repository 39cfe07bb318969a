package io.holdfast.spring.boot;

import io.grpc.Channel;
import io.holdfast.etcd.EtcdEngine;
import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.redis.LettuceRedis;
import io.holdfast.zookeeper.ZooKeeperEngine;
import io.holdfast.zookeeper.ZooKeeperOptions;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import javax.sql.DataSource;
import org.apache.zookeeper.ZooKeeper;
import org.springframework.beans.factory.ObjectProvider;
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
        ObjectProvider<DataSource> sources,
        Environment environment,
        HoldfastProperties properties) {
      return new StoreSource(
          HoldfastProperties.Store.DATASOURCE,
          false,
          settings -> {
            DataSource source = sources.getIfUnique();
            if (source == null) {
              throw new IllegalStateException(
                  "there are several DataSources and none is primary: set holdfast.url");
            }
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
    StoreSource holdfastRedisStore(ObjectProvider<LettuceConnectionFactory> factories) {
      return new StoreSource(
          HoldfastProperties.Store.REDIS,
          false,
          settings -> {
            AbstractRedisClient client = factories.getObject().getRequiredNativeClient();
            if (client instanceof RedisClient single) {
              return LettuceRedis.engine(single, settings.operationTimeout());
            }
            throw new IllegalStateException(
                "the Redis connection factory is for a cluster: set"
                    + " holdfast.url=redis-cluster://host:port");
          });
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({ZooKeeperEngine.class, ZooKeeper.class})
  @ConditionalOnBean(type = "org.apache.zookeeper.ZooKeeper")
  static class OfZooKeeper {

    @Bean
    StoreSource holdfastZooKeeperStore(ObjectProvider<ZooKeeper> clients) {
      return new StoreSource(
          HoldfastProperties.Store.ZOOKEEPER,
          false,
          settings ->
              ZooKeeperEngine.over(
                  clients.getObject(), ZooKeeperOptions.of("zookeeper://handed-in"), settings));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({EtcdEngine.class, Channel.class})
  @ConditionalOnBean(type = "io.grpc.Channel")
  static class OfEtcd {

    /** A channel may lead anywhere, so this is never guessed. */
    @Bean
    StoreSource holdfastEtcdStore(ObjectProvider<Channel> channels) {
      return new StoreSource(
          HoldfastProperties.Store.ETCD,
          true,
          settings -> EtcdEngine.over(channels.getObject(), "etcd of the application"));
    }
  }
}
