package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spring.Holds;
import io.holdfast.spring.LeaderOnly;
import io.holdfast.spring.LockSide;
import io.holdfast.spring.Locked;
import io.holdfast.spring.RunOnce;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * U60: with {@code spring.threads.virtual.enabled} annotated methods run on virtual threads, and
 * the flight recorder sees no carrier that is pinned.
 */
@Timeout(120)
@EnabledForJreRange(
    min = JRE.JAVA_21,
    disabledReason = "virtual threads came with JDK 21: run the suite on a newer JDK too")
class U60VirtualThreadsIT {

  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final int WARM_UP = 200;
  private static final int CALLS = 2_000;

  @TempDir private Path folder;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableScheduling
  static class App {
    @Bean
    Work work() {
      return new Work();
    }

    @Bean
    Job job() {
      return new Job();
    }
  }

  static class Work {
    private final AtomicInteger inside = new AtomicInteger();

    /** All threads want the same name. */
    @Locked(name = "one", waitFor = "60s")
    public void one() {
      requireVirtual();
      assertThat(inside.incrementAndGet()).isEqualTo(1);
      assertThat(Holds.require().isHeld()).isTrue();
      inside.decrementAndGet();
    }

    @Locked(name = "many/{#id}", waitFor = "60s")
    public void many(int id) {
      requireVirtual();
    }

    @Locked(name = "shared", side = LockSide.READ, waitFor = "60s")
    public void shared() {
      requireVirtual();
    }

    @RunOnce(name = "once/{#id}", every = "1h")
    public void once(int id) {
      requireVirtual();
    }

    @LeaderOnly("leader")
    public Optional<Boolean> leads() {
      requireVirtual();
      return Optional.of(true);
    }
  }

  /** Is at work when the context is closed. */
  static class Job {
    final List<String> ends = new CopyOnWriteArrayList<>();
    private volatile boolean began;

    boolean hasBegun() {
      return began;
    }

    List<String> ends() {
      return ends;
    }

    @Scheduled(fixedDelay = 3_600_000)
    @Locked("job")
    public void work() {
      requireVirtual();
      began = true;
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1500);
      while (System.nanoTime() < end) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
      ends.add("held to the end: " + Holds.require().isHeld());
    }
  }

  /** Reached by name: this file is compiled for JDK 17. */
  private static void requireVirtual() {
    try {
      assertThat(Thread.class.getMethod("isVirtual").invoke(Thread.currentThread()))
          .isEqualTo(true);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ConfigurableApplicationContext application(String url) {
    return new SpringApplicationBuilder(App.class)
        .run(
            "--spring.threads.virtual.enabled=true",
            "--holdfast.url=" + url,
            "--holdfast.namespace=virtual",
            "--spring.datasource.url=jdbc:h2:mem:virtual",
            "--spring.main.web-application-type=none",
            "--spring.main.banner-mode=off");
  }

  @Test
  void inMemory() throws Exception {
    pinsNothing("memory:");
  }

  @Test
  void redis() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      pinsNothing(redis.uri());
    }
  }

  private void pinsNothing(String url) throws Exception {
    Path file = folder.resolve("pinned.jfr");
    try (ConfigurableApplicationContext context = application(url);
        Recording recording = new Recording()) {
      Await.until("leadership", BOUND, () -> call(context, Work::leads).isPresent());
      // What the JDK links when code first runs pins a little, and is not ours.
      run(context, WARM_UP);
      recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
      recording.start();
      run(context, CALLS);
      recording.stop();
      recording.dump(file);
      assertThat(context.getBean(Holdfast.class).stats().waiting()).isZero();
    }
    List<RecordedEvent> pinned =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
            .toList();
    assertThat(pinned).isEmpty();
    Figure.print("%s, %d virtual threads with annotated calls: none pinned", url, CALLS);
  }

  private interface Question<T> {
    T ask(Work work);
  }

  private static <T> T call(ConfigurableApplicationContext context, Question<T> question)
      throws Exception {
    Work work = context.getBean(Work.class);
    return executor(context).submit(() -> question.ask(work)).get(60, TimeUnit.SECONDS);
  }

  private static AsyncTaskExecutor executor(ConfigurableApplicationContext context) {
    return context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
  }

  private static void run(ConfigurableApplicationContext context, int count) throws Exception {
    Work work = context.getBean(Work.class);
    AsyncTaskExecutor threads = executor(context);
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int id = i;
      all.add(
          threads.submit(
              () -> {
                switch (id % 5) {
                  case 0 -> work.many(id % 50);
                  case 1 -> work.shared();
                  case 2 -> work.once(id % 20);
                  case 3 -> assertThat(work.leads()).contains(true);
                  default -> work.one();
                }
              }));
    }
    for (Future<?> each : all) {
      each.get(60, TimeUnit.SECONDS);
    }
  }

  /** Rule 12, U19: schedulers of virtual threads do not wait for their jobs; Holdfast does. */
  @Test
  void aJobKeepsItsHoldWhenTheContextIsClosed() {
    ConfigurableApplicationContext context = application("memory:");
    Job job = context.getBean(Job.class);
    Await.until("the job", BOUND, job::hasBegun);
    context.close();
    assertThat(job.ends()).containsExactly("held to the end: true");
  }
}
