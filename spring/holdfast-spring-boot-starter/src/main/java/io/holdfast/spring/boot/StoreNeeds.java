package io.holdfast.spring.boot;

import io.holdfast.spring.boot.HoldfastProperties.Store;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * What the store of a bean needs.
 *
 * @param library the library of the bean's type
 * @param libraryType a type of it
 * @param module our module
 * @param moduleType a type of it
 * @param bean the type of the bean, for messages
 * @param beanType the name of that type
 */
record StoreNeeds(
    Store store,
    String library,
    String libraryType,
    String module,
    String moduleType,
    String bean,
    String beanType) {

  static StoreNeeds of(Store store) {
    return switch (store) {
      case DATASOURCE ->
          new StoreNeeds(
              store,
              "org.springframework.boot:spring-boot-starter-jdbc",
              "javax.sql.DataSource",
              "io.holdfast:holdfast-jdbc",
              "io.holdfast.jdbc.JdbcEngine",
              "DataSource",
              "javax.sql.DataSource");
      case REDIS ->
          new StoreNeeds(
              store,
              "io.lettuce:lettuce-core",
              "io.lettuce.core.AbstractRedisClient",
              "io.holdfast:holdfast-redis",
              "io.holdfast.redis.LettuceRedis",
              "LettuceConnectionFactory",
              "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory");
      case ZOOKEEPER ->
          new StoreNeeds(
              store,
              "org.apache.zookeeper:zookeeper",
              "org.apache.zookeeper.ZooKeeper",
              "io.holdfast:holdfast-zookeeper",
              "io.holdfast.zookeeper.ZooKeeperEngine",
              "Supplier<ZooKeeper> or ZooKeeper",
              "org.apache.zookeeper.ZooKeeper");
      case ETCD ->
          new StoreNeeds(
              store,
              "io.grpc:grpc-api",
              "io.grpc.Channel",
              "io.holdfast:holdfast-etcd",
              "io.holdfast.etcd.EtcdEngine",
              "io.grpc.Channel",
              "io.grpc.Channel");
    };
  }

  /** Returns what to throw when {@code holdfast.store} names this one and it cannot be used. */
  StoreConfigurationException missing(ConfigurableListableBeanFactory beans) {
    String property = "holdfast.store=" + store.text();
    for (String[] each : new String[][] {{moduleType, module}, {libraryType, library}}) {
      if (type(each[0], beans) == null) {
        return new StoreConfigurationException(
            property + " needs " + each[1] + ", which is not on the class path",
            "add the dependency " + each[1]);
      }
    }
    return new StoreConfigurationException(
        property + " has no bean: it needs one of type " + bean, "define one, or set holdfast.url");
  }

  /** Returns what to do if the application has such a bean, and only our module is missing. */
  Optional<String> nearlyThere(ConfigurableListableBeanFactory beans) {
    Class<?> found = type(beanType, beans);
    boolean onlyModule =
        found != null
            && type(moduleType, beans) == null
            && beans.getBeanNamesForType(found, true, false).length > 0;
    return onlyModule
        ? Optional.of(
            "add the dependency " + module + ", for the store of the bean of type " + bean)
        : Optional.empty();
  }

  private static @Nullable Class<?> type(String name, ConfigurableListableBeanFactory beans) {
    try {
      return ClassUtils.forName(name, beans.getBeanClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }
}
