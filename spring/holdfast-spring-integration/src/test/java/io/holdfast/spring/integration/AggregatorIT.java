package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.aggregator.AggregatingMessageHandler;
import org.springframework.integration.aggregator.DefaultAggregatingMessageGroupProcessor;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.store.MessageGroupStore;
import org.springframework.integration.store.SimpleMessageStore;
import org.springframework.integration.util.UUIDConverter;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.GenericMessage;

/** Aggregators of two machines with one store of messages, whose groups are locked on Redis. */
@Timeout(60)
class AggregatorIT {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final String ORDER = "order 42";
  private static final int PARTS = 40;

  private final RedisServer redis = RedisServer.start();
  private final MessageGroupStore store = new SimpleMessageStore();
  private final QueueChannel out = new QueueChannel();
  private final AnnotationConfigApplicationContext east = machine();
  private final AnnotationConfigApplicationContext west = machine();

  @Configuration(proxyBeanMethods = false)
  @EnableIntegration
  static class Machine {

    @Bean
    Holdfast holdfast(RedisServer redis) {
      return Holdfast.connect(redis.uri());
    }

    @Bean
    HoldfastLockRegistry lockRegistry(Holdfast holdfast) {
      return new HoldfastLockRegistry(holdfast, "groups/");
    }

    @Bean
    AggregatingMessageHandler aggregator(
        HoldfastLockRegistry locks, MessageGroupStore store, QueueChannel out) {
      AggregatingMessageHandler aggregator =
          new AggregatingMessageHandler(new DefaultAggregatingMessageGroupProcessor(), store);
      aggregator.setCorrelationStrategy(message -> ORDER);
      aggregator.setReleaseStrategy(group -> group.size() == PARTS);
      aggregator.setExpireGroupsUponCompletion(true);
      aggregator.setLockRegistry(locks);
      aggregator.setOutputChannel(out);
      return aggregator;
    }
  }

  private AnnotationConfigApplicationContext machine() {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.registerBean(RedisServer.class, () -> redis, bean -> bean.setDestroyMethodName(""));
    context.registerBean(MessageGroupStore.class, () -> store);
    context.registerBean("out", QueueChannel.class, () -> out);
    context.register(Machine.class);
    context.refresh();
    return context;
  }

  @AfterEach
  void stop() {
    east.close();
    west.close();
    redis.close();
  }

  private static void send(AnnotationConfigApplicationContext machine, int part) {
    machine.getBean(AggregatingMessageHandler.class).handleMessage(new GenericMessage<>(part));
  }

  @Test
  void partsThatReachBothMachinesMakeOneMessage() throws Exception {
    List<CompletableFuture<Void>> senders = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      int first = thread;
      senders.add(
          CompletableFuture.runAsync(
              () -> {
                for (int part = first; part < PARTS; part += 4) {
                  send(part % 2 == 0 ? east : west, part);
                }
              },
              task -> new Thread(task).start()));
    }
    CompletableFuture.allOf(senders.toArray(new CompletableFuture<?>[0]))
        .get(LONG.toSeconds(), TimeUnit.SECONDS);
    Message<?> whole = out.receive(LONG.toMillis());
    assertThat((List<?>) whole.getPayload()).hasSize(PARTS).doesNotHaveDuplicates();
    assertThat(out.receive(0)).isNull();
    assertThat(east.getBean(Holdfast.class).stats().held()).isZero();
  }

  @Test
  void aGroupThatAnotherMachineWorksOnIsWaitedFor() throws Exception {
    String group = UUIDConverter.getUUID(ORDER).toString();
    HoldfastLockRegistry locks = east.getBean(HoldfastLockRegistry.class);
    FutureTask<Void> sender = new FutureTask<>(() -> send(west, 1), null);
    Lock lock = locks.obtain(group);
    lock.lock();
    try {
      new Thread(sender).start();
      Holdfast waiting = west.getBean(Holdfast.class);
      Await.until("the aggregator", LONG, () -> waiting.stats().waiting() == 1);
      assertThat(store.messageGroupSize(ORDER)).isZero();
    } finally {
      lock.unlock();
    }
    sender.get(LONG.toSeconds(), TimeUnit.SECONDS);
    assertThat(store.messageGroupSize(ORDER)).isEqualTo(1);
  }
}
