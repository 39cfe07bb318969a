package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.servers.RedisCluster;
import io.holdfast.rig.servers.RedisSentinels;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spring.Holds;
import io.holdfast.spring.Locked;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The stores of beans: what can be used, on real servers, and what is said of the rest. */
@Timeout(120)
class StoreBeansIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  private static final boolean REFRESHED_BY_DEFAULT =
      !ClusterTopologyRefreshOptions.create().getAdaptiveRefreshTriggers().isEmpty();

  private static final ApplicationContextRunner RUNNER =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(AopAutoConfiguration.class, HoldfastAutoConfiguration.class))
          .withPropertyValues("holdfast.namespace=beans");

  /** Advised, so that the whole way from the annotation to the store is taken. */
  static class Orders {
    @Locked(name = "orders/{#id}", waitFor = "30s")
    public long pay(int id) {
      return Holds.require().token();
    }
  }

  private static LettuceConnectionFactory cluster(RedisCluster cluster, boolean refreshed) {
    List<String> nodes =
        cluster.servers().stream().map(server -> "127.0.0.1:" + server.port()).toList();
    ClusterTopologyRefreshOptions.Builder refreshes = ClusterTopologyRefreshOptions.builder();
    if (refreshed) {
      refreshes.enableAllAdaptiveRefreshTriggers().enablePeriodicRefresh(Duration.ofSeconds(2));
    }
    // What spring.data.redis.lettuce.cluster.refresh.adaptive and .period set.
    return new LettuceConnectionFactory(
        new RedisClusterConfiguration(nodes),
        LettuceClientConfiguration.builder()
            .clientOptions(
                ClusterClientOptions.builder().topologyRefreshOptions(refreshes.build()).build())
            .build());
  }

  /** Reads of the application go to replicas, which must not concern locks. */
  private static LettuceConnectionFactory sentinels(RedisSentinels sentinels) {
    RedisSentinelConfiguration configuration =
        new RedisSentinelConfiguration().master(sentinels.masterName());
    sentinels.sentinels().forEach(sentinel -> configuration.sentinel("127.0.0.1", sentinel.port()));
    return new LettuceConnectionFactory(
        configuration,
        LettuceClientConfiguration.builder().readFrom(ReadFrom.REPLICA_PREFERRED).build());
  }

  private static ApplicationContextRunner redis(Supplier<LettuceConnectionFactory> factory) {
    return RUNNER
        .withBean(Orders.class)
        .withBean("redis", LettuceConnectionFactory.class, factory)
        .withPropertyValues("holdfast.store=redis");
  }

  /** Two applications exclude each other, waiters are notified, and names are spread. */
  private static void locks(ApplicationContextRunner runner) {
    runner.run(
        one ->
            runner.run(
                other -> {
                  excludes(one.getBean(Holdfast.class), other.getBean(Holdfast.class));
                  for (int id = 0; id < 20; id++) {
                    long token = one.getBean(Orders.class).pay(id);
                    assertThat(other.getBean(Orders.class).pay(id)).isGreaterThan(token);
                  }
                }));
  }

  private static void excludes(Holdfast one, Holdfast other) throws Exception {
    List<Hold> holds = new ArrayList<>();
    List<CompletableFuture<Hold>> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      holds.add(one.lock("spread/" + i).acquire(LONG));
      assertThat(other.lock("spread/" + i).tryAcquire()).isEmpty();
      waiting.add(other.lock("spread/" + i).acquireAsync(LONG));
    }
    holds.forEach(Hold::close);
    for (int i = 0; i < 20; i++) {
      try (Hold hold = waiting.get(i).get(30, TimeUnit.SECONDS)) {
        assertThat(hold.token()).isGreaterThan(holds.get(i).token());
      }
    }
  }

  private static List<String> warnings(ApplicationContext context) {
    return context.getBean(Holdfast.class).health().warnings();
  }

  @Test
  void redisClusterOfTheConnectionFactory() {
    try (RedisCluster cluster = RedisCluster.start()) {
      locks(redis(() -> cluster(cluster, true)));
      redis(() -> cluster(cluster, false))
          .run(
              context -> {
                context.getBean(Orders.class).pay(1);
                // Lettuce 7 refreshes unless it is told not to.
                assertThat(warnings(context))
                    .hasSize(REFRESHED_BY_DEFAULT ? 0 : 1)
                    .allMatch(said -> said.contains("does not refresh its view of the cluster"));
              });
      redis(() -> cluster(cluster, true))
          .run(
              context -> {
                Orders orders = context.getBean(Orders.class);
                long before = orders.pay(7);
                assertThat(warnings(context)).isEmpty();
                long start = System.nanoTime();
                RedisServer old = cluster.masters().get(0);
                old.process().kill9();
                // All names, so whatever the slots of the killed master are, they are among them.
                for (int id = 0; id < 20; id++) {
                  payAfterFailover(orders, id);
                }
                Figure.print(
                    "20 names are locked %d ms after the kill of a master",
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
                assertThat(orders.pay(7)).isGreaterThan(before);
              });
    }
  }

  /** Until the replica is promoted the store is unavailable, which is an exception. */
  private static void payAfterFailover(Orders orders, int id) {
    Await.until("a lock on orders/" + id, LONG, () -> isPaid(orders, id));
  }

  private static boolean isPaid(Orders orders, int id) {
    try {
      return orders.pay(id) > 0;
    } catch (HoldfastException e) {
      return false;
    }
  }

  @Test
  void sentinelsOfTheConnectionFactory() {
    try (RedisSentinels sentinels = RedisSentinels.start()) {
      locks(redis(() -> sentinels(sentinels)));
      redis(() -> sentinels(sentinels))
          .run(
              context -> {
                Orders orders = context.getBean(Orders.class);
                long before = orders.pay(7);
                long start = System.nanoTime();
                sentinels.failover();
                payAfterFailover(orders, 7);
                Figure.print(
                    "locked %d ms after the kill of the master",
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
                assertThat(orders.pay(7)).isGreaterThan(before);
              });
    }
  }

  /** As a test context that is paused: the factory makes a new client when it is started again. */
  @Test
  void aConnectionFactoryMayBeStoppedAndStarted() {
    try (RedisServer server = RedisServer.start()) {
      redis(() -> new LettuceConnectionFactory("127.0.0.1", server.port()))
          .run(
              context -> {
                Orders orders = context.getBean(Orders.class);
                long before = orders.pay(1);
                Await.until("the signals", LONG, () -> hasSubscribers(server));
                ConfigurableApplicationContext pausable = context.getSourceApplicationContext();
                pausable.stop();
                Await.until("the end of the signals", LONG, () -> !hasSubscribers(server));
                pausable.start();
                payAfterFailover(orders, 1);
                assertThat(orders.pay(1)).isGreaterThan(before);
                Await.until("the signals again", LONG, () -> hasSubscribers(server));
              });
    }
  }

  private static boolean hasSubscribers(RedisServer server) {
    return !server.call("CLIENT", "LIST", "TYPE", "pubsub").isBlank();
  }

  /** The client of such a factory has no address; it is refused at once and not waited for. */
  @Test
  void aFixedListOfMasterAndReplicasIsRefused() {
    redis(
            () ->
                new LettuceConnectionFactory(
                    new RedisStaticMasterReplicaConfiguration("127.0.0.1", 1)))
        .withPropertyValues("holdfast.fail-fast=true")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("a fixed list of a master and replicas"));
  }

  static class LateFactory {
    @Bean
    LettuceConnectionFactory late() {
      LettuceConnectionFactory late = new LettuceConnectionFactory("127.0.0.1", 1);
      late.setEarlyStartup(false);
      return late;
    }
  }

  static class TwoFactories {
    @Bean
    LettuceConnectionFactory orders() {
      return new LettuceConnectionFactory("127.0.0.1", 1);
    }

    @Bean
    LettuceConnectionFactory sessions() {
      return new LettuceConnectionFactory("127.0.0.1", 1);
    }
  }

  static class TwoChannels {
    @Bean(destroyMethod = "shutdownNow")
    ManagedChannel billing() {
      return ManagedChannelBuilder.forAddress("127.0.0.1", 1).usePlaintext().build();
    }

    @Bean(destroyMethod = "shutdownNow")
    ManagedChannel etcd() {
      return ManagedChannelBuilder.forAddress("127.0.0.1", 1).usePlaintext().build();
    }
  }

  static class TwoSuppliers {
    @Bean
    Supplier<ZooKeeper> near() {
      return () -> null;
    }

    @Bean
    Supplier<ZooKeeper> far() {
      return () -> null;
    }
  }

  static class OtherSupplier {
    @Bean
    Supplier<String> words() {
      return () -> "no client";
    }
  }

  private static void refused(Class<?> beans, String store, String... said) {
    RUNNER
        .withUserConfiguration(beans)
        .withPropertyValues("holdfast.store=" + store)
        .run(
            context -> {
              assertThat(context).hasFailed();
              for (String each : said) {
                assertThat(context.getStartupFailure()).hasStackTraceContaining(each);
              }
            });
  }

  @Test
  void whatCannotBeUsedIsNamed() {
    refused(
        LateFactory.class, "redis", "holdfast.store=redis, bean 'late' is not started", "holdfast");
    refused(
        TwoFactories.class,
        "redis",
        "holdfast.store=redis: there are several beans of type LettuceConnectionFactory",
        "[orders, sessions]",
        "holdfast.url");
    refused(
        TwoChannels.class,
        "etcd",
        "holdfast.store=etcd: there are several beans of type Channel",
        "[billing, etcd]");
    refused(
        TwoSuppliers.class,
        "zookeeper",
        "holdfast.store=zookeeper: there are several beans of type Supplier<ZooKeeper>",
        "[near, far]");
    refused(
        OtherSupplier.class,
        "zookeeper",
        "holdfast.store=zookeeper has no bean: it needs one of type Supplier<ZooKeeper> or ZooKeeper");
    refused(OtherSupplier.class, "redis", "it needs one of type LettuceConnectionFactory");
  }

  @Test
  void aPrimaryChannelOfSeveralIsUsed() {
    try (EtcdServer etcd = EtcdServer.start()) {
      RUNNER
          .withBean(Orders.class)
          .withUserConfiguration(TwoChannels.class)
          .withBean(
              "main",
              ManagedChannel.class,
              () ->
                  ManagedChannelBuilder.forAddress("127.0.0.1", etcd.port()).usePlaintext().build(),
              definition -> definition.setPrimary(true))
          .withPropertyValues("holdfast.store=etcd")
          .run(
              context -> {
                assertThat(context.getBean(Orders.class).pay(1)).isPositive();
                assertThat(context.getBean(Holdfast.class).traits().store())
                    .isEqualTo("etcd (bean 'main')");
              });
    }
  }

  /** The sessions of a program that replaces one that is over. */
  static final class Sessions implements Supplier<ZooKeeper>, AutoCloseable {
    private final String address;
    private final AtomicReference<ZooKeeper> current = new AtomicReference<>();

    Sessions(String address) throws Exception {
      this.address = address;
      replace();
    }

    void replace() throws Exception {
      ZooKeeper old = current.getAndSet(new ZooKeeper(address, 60_000, event -> {}));
      if (old != null) {
        old.close();
      }
    }

    @Override
    public ZooKeeper get() {
      return current.get();
    }

    @Override
    public void close() throws Exception {
      current.get().close();
    }
  }

  @Test
  void aSupplierOfZooKeeperOutlivesASession() {
    try (ZooKeeperServer server =
        ZooKeeperServer.start(ZooKeeperServerOptions.PLAIN.with("maxSessionTimeout", "60000"))) {
      RUNNER
          .withBean(Orders.class)
          .withBean("sessions", Sessions.class, () -> sessions(server))
          .run(
              context -> {
                Orders orders = context.getBean(Orders.class);
                long before = orders.pay(1);
                Hold hold = context.getBean(Holdfast.class).lock("held").acquire(LONG);
                context.getBean(Sessions.class).replace();
                Await.until("the loss of what the old session held", LONG, () -> !hold.isHeld());
                payAfterFailover(orders, 1);
                assertThat(orders.pay(1)).isGreaterThan(before);
              });
    }
  }

  private static Sessions sessions(ZooKeeperServer server) {
    try {
      return new Sessions(server.address());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
