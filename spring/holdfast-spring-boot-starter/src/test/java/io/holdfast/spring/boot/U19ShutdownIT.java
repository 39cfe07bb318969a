package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastClosedException;
import io.holdfast.HoldfastOptions;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spring.Holds;
import io.holdfast.spring.Locked;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** U19, rule 12: a context that is closed under load leaves nothing in the store. */
@Timeout(180)
class U19ShutdownIT {

  private static final Duration BOUND = Duration.ofSeconds(20);

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableScheduling
  static class App {
    @Bean
    Work work() {
      return new Work();
    }
  }

  static class Redis {
    @Bean
    LettuceConnectionFactory redis(Environment environment) {
      return new LettuceConnectionFactory(
          "127.0.0.1", environment.getRequiredProperty("redis.port", Integer.class));
    }
  }

  static class ZooKeepers {
    @Bean(destroyMethod = "close")
    ZooKeeper zookeeper(Environment environment) throws Exception {
      return new ZooKeeper(
          "127.0.0.1:" + environment.getRequiredProperty("zookeeper.port"), 60_000, event -> {});
    }
  }

  static class Etcd {
    @Bean(destroyMethod = "shutdownNow")
    ManagedChannel channel(Environment environment) {
      return ManagedChannelBuilder.forAddress(
              "127.0.0.1", environment.getRequiredProperty("etcd.port", Integer.class))
          .usePlaintext()
          .build();
    }
  }

  static class Work {
    final AtomicInteger done = new AtomicInteger();
    final AtomicBoolean began = new AtomicBoolean();
    final List<String> job = new CopyOnWriteArrayList<>();

    int done() {
      return done.get();
    }

    boolean began() {
      return began.get();
    }

    List<String> job() {
      return job;
    }

    @Locked(name = "load/{#id}", waitFor = "10s")
    public void locked(int id) {
      done.incrementAndGet();
    }

    /** A job that is at work when the context is closed. */
    @Scheduled(fixedDelay = 3_600_000)
    @Locked("job")
    public void job2() {
      began.set(true);
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1500);
      while (System.nanoTime() < end) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
      job.add("held to the end: " + Holds.require().isHeld());
    }
  }

  private static void closesUnderLoad(
      String store, Class<?> beans, String storeAddress, String... arguments) throws Exception {
    String[] all = new String[arguments.length + 4];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--holdfast.store=" + store;
    all[arguments.length + 1] = "--holdfast.namespace=shutdown";
    all[arguments.length + 2] = "--spring.main.web-application-type=none";
    all[arguments.length + 3] = "--spring.main.banner-mode=off";
    ConfigurableApplicationContext context =
        new SpringApplicationBuilder(App.class, beans).run(all);
    Work proxy = context.getBean(Work.class);
    List<Throwable> unexpected = new CopyOnWriteArrayList<>();
    CountDownLatch ended = new CountDownLatch(8);
    for (int i = 0; i < 8; i++) {
      int id = i % 4;
      new Thread(
              () -> {
                try {
                  while (true) {
                    proxy.locked(id);
                  }
                } catch (HoldfastClosedException e) {
                  // As it should be.
                } catch (Throwable e) {
                  unexpected.add(e);
                } finally {
                  ended.countDown();
                }
              },
              "load")
          .start();
    }
    Await.until("load and a job", BOUND, () -> proxy.done() > 50 && proxy.began());
    assertThat(used(context.getBean(Holdfast.class)))
        .as("before the end")
        .anySatisfy(line -> assertThat(line.resource().name()).isEqualTo("job"));
    context.close();
    assertThat(ended.await(20, TimeUnit.SECONDS)).as("all calls have ended").isTrue();
    assertThat(unexpected).isEmpty();
    assertThat(proxy.job()).containsExactly("held to the end: true");
    try (Holdfast after =
        Holdfast.connect(storeAddress, HoldfastOptions.DEFAULTS.withNamespace("shutdown"))) {
      assertThat(used(after)).as("after the end").isEmpty();
      for (String name : List.of("job", "load/0", "load/1", "load/2", "load/3")) {
        Duration second = Duration.ofSeconds(1);
        after.lock(name).call(second, hold -> assertThat(hold.isHeld()).isTrue());
      }
    }
  }

  /** Returns the locks that anybody holds or waits for. */
  private static List<EngineInspector.LineView> used(Holdfast holdfast) throws Exception {
    return holdfast.inspector().orElseThrow().list("shutdown", "", "", 100).stream()
        .filter(line -> !line.tickets().isEmpty())
        .toList();
  }

  @Test
  void redis() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      closesUnderLoad("redis", Redis.class, redis.uri(), "--redis.port=" + redis.port());
    }
  }

  static class Nothing {}

  @Test
  void datasource() throws Exception {
    try (PostgresServer postgres = PostgresServer.start()) {
      String url = postgres.jdbcUri(PostgresServer.DATABASE, postgres.user());
      closesUnderLoad("datasource", Nothing.class, url, "--spring.datasource.url=" + url);
    }
  }

  @Test
  void zookeeper() throws Exception {
    try (ZooKeeperServer zookeeper =
        ZooKeeperServer.start(ZooKeeperServerOptions.PLAIN.with("maxSessionTimeout", "60000"))) {
      closesUnderLoad(
          "zookeeper", ZooKeepers.class, zookeeper.uri(), "--zookeeper.port=" + zookeeper.port());
    }
  }

  @Test
  void etcd() throws Exception {
    try (EtcdServer etcd = EtcdServer.start()) {
      closesUnderLoad("etcd", Etcd.class, etcd.uri(), "--etcd.port=" + etcd.port());
    }
  }

  /** What is closed before whom: the higher phase stops first. */
  @Test
  void phases() {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(App.class, Redis.class)
            .run(
                "--redis.port=1",
                "--spring.datasource.url=jdbc:h2:mem:phases",
                "--holdfast.url=memory:",
                "--server.port=0",
                "--spring.main.banner-mode=off")) {
      int ours = context.getBean(HoldfastLifecycle.class).getPhase();
      context
          .getBeansOfType(SmartLifecycle.class)
          .forEach(
              (name, bean) -> {
                if (name.startsWith("webServer") || name.equals("taskScheduler")) {
                  assertThat(bean.getPhase()).as(name).isGreaterThan(ours);
                }
                if (name.equals("redis")) {
                  assertThat(bean.getPhase()).as(name).isLessThan(ours);
                }
              });
      assertThat(context.getBean("holdfastLeaders", SmartLifecycle.class).getPhase())
          .isEqualTo(Integer.MAX_VALUE);
      // Stopped and started again, as a paused test context is, it goes on.
      context.stop();
      context.start();
      context.getBean(Work.class).locked(1);
      assertThat(context.getBean(Holdfast.class).stats().draining()).isFalse();
    }
  }
}
