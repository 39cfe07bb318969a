package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockLostException;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** U54, U52: {@link RunOnce} and {@link LeaderOnly}, in two contexts that are two machines. */
@Timeout(60)
class U54RunOnceTest {

  private static final Duration LONG = Duration.ofSeconds(10);

  private static AnnotationConfigApplicationContext here;
  private static AnnotationConfigApplicationContext there;
  private static Jobs mine;
  private static Jobs theirs;
  private static Holdfast holdfast;

  @Configuration(proxyBeanMethods = false)
  @EnableHoldfast
  @EnableScheduling
  static class App {
    @Bean
    Holdfast holdfast() {
      return Holdfast.connect("memory:once", HoldfastOptions.DEFAULTS);
    }

    @Bean
    Holdfast second() {
      return Holdfast.connect("memory:once-second", HoldfastOptions.DEFAULTS);
    }

    @Bean
    Jobs jobs() {
      return new Jobs();
    }
  }

  static class Boom extends Exception {}

  static class Jobs {
    final AtomicInteger runs = new AtomicInteger();
    final AtomicInteger ticks = new AtomicInteger();
    final List<String> led = new CopyOnWriteArrayList<>();

    @RunOnce(name = "${prefix}/{#id}", every = "1h", client = "holdfast")
    public void job(String id, boolean fail) throws Boom {
      assertThat(Holds.require().isHeld()).isTrue();
      if (fail) {
        throw new Boom();
      }
      runs.incrementAndGet();
    }

    @RunOnce(name = "second", every = "1h", client = "second")
    public void second() {
      runs.incrementAndGet();
    }

    @RunOnce(name = "slow", every = "1h", client = "holdfast")
    public void noWait(CountDownLatch in, CountDownLatch out) throws InterruptedException {
      in.countDown();
      out.await();
      runs.incrementAndGet();
    }

    @RunOnce(name = "slow", every = "1h", waitFor = "10s", client = "holdfast")
    public void waits() {
      runs.incrementAndGet();
    }

    @RunOnce(name = "hangs", every = "1h", atMost = "100ms", client = "holdfast")
    public void hangs() {
      Hold hold = Holds.require();
      Await.until("the end of atMost", LONG, () -> !hold.isHeld());
    }

    @RunOnce(name = "async", every = "1h", client = "holdfast")
    public CompletableFuture<Void> async(CompletableFuture<Void> body) {
      runs.incrementAndGet();
      return body;
    }

    @Scheduled(fixedRate = 3_600_000, initialDelay = 3_600_000)
    @RunOnce(name = "rate", client = "holdfast")
    public void hourlyByRate() {
      runs.incrementAndGet();
    }

    @Scheduled(cron = "0 0 9,17 * * MON-FRI", zone = "Europe/Paris")
    @RunOnce(name = "cron", client = "holdfast")
    public void byCron() {
      runs.incrementAndGet();
    }

    @Scheduled(fixedDelay = 10)
    @LeaderOnly(value = "outbox", client = "holdfast")
    public void tick() {
      assertThat(Holds.require().name()).isEqualTo("outbox");
      ticks.incrementAndGet();
    }

    @LeaderOnly(name = "outbox", client = "holdfast")
    public java.util.Optional<String> leads() {
      return java.util.Optional.of("leads");
    }

    @LeaderOnly(name = "${prefix}", client = "holdfast")
    public void leadsUntil(CountDownLatch in, CountDownLatch out) throws InterruptedException {
      in.countDown();
      out.await();
      led.add("held to the end: " + Holds.require().isHeld());
    }

    @LeaderOnly(name = "${prefix}", client = "holdfast")
    public void losesLead() {
      Operators.takeAway(holdfast, Holds.require());
    }
  }

  private static AnnotationConfigApplicationContext start() {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of("prefix", "jobs")));
    context.register(App.class);
    context.refresh();
    return context;
  }

  @BeforeAll
  static void startBoth() {
    here = start();
    there = start();
    mine = here.getBean(Jobs.class);
    theirs = there.getBean(Jobs.class);
    holdfast = here.getBean("holdfast", Holdfast.class);
  }

  @AfterAll
  static void stop() {
    there.close();
    here.close();
  }

  private static int runs() {
    return MemoryContext.target(mine).runs.get() + MemoryContext.target(theirs).runs.get();
  }

  private static int ticks(Jobs jobs) {
    return MemoryContext.target(jobs).ticks.get();
  }

  @Test
  void oneOfTwoMachinesRunsInAPeriod() throws Exception {
    int before = runs();
    mine.job("a", false);
    theirs.job("a", false);
    mine.job("a", false);
    theirs.job("b", false);
    assertThat(runs()).isEqualTo(before + 2);
    assertThat(
            holdfast
                .inspector()
                .orElseThrow()
                .show(new io.holdfast.spi.Resource("default", "jobs/a"))
                .orElseThrow()
                .marked())
        .as("the mark that outlives its process")
        .get()
        .satisfies(left -> assertThat(left).isGreaterThan(Duration.ofMinutes(50)));
  }

  @Test
  void aRunThatFailsLeavesNoMark() throws Exception {
    int before = runs();
    assertThatThrownBy(() -> mine.job("fails", true)).isInstanceOf(Boom.class);
    theirs.job("fails", false);
    assertThat(runs()).isEqualTo(before + 1);
  }

  @Test
  void clientSelectsTheStore() {
    int before = runs();
    mine.second();
    theirs.second();
    assertThat(runs()).isEqualTo(before + 1);
    assertThat(Operators.names(holdfast)).doesNotContain("second");
  }

  @Test
  void waitForIsHowLongToWaitForAnotherRun() throws Exception {
    int before = runs();
    CountDownLatch in = new CountDownLatch(1);
    CountDownLatch out = new CountDownLatch(1);
    CompletableFuture<?> running =
        Threads.run(
            () -> {
              try {
                mine.noWait(in, out);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(in.await(10, TimeUnit.SECONDS)).isTrue();
    theirs.noWait(new CountDownLatch(1), new CountDownLatch(1));
    CompletableFuture<?> waiting = Threads.run(theirs::waits);
    assertThat(runs()).isEqualTo(before);
    assertThat(waiting).isNotDone();
    out.countDown();
    CompletableFuture.allOf(running, waiting).get(10, TimeUnit.SECONDS);
    assertThat(runs()).as("one ran, the other had waited for it").isEqualTo(before + 1);
  }

  @Test
  void atMostEndsARunThatHangs() {
    assertThatThrownBy(mine::hangs)
        .isInstanceOf(LockLostException.class)
        .hasMessageContaining("MAX_HOLD");
  }

  @Test
  void anAsynchronousRunLastsUntilItsStageEnds() throws Exception {
    int before = runs();
    CompletableFuture<Void> body = new CompletableFuture<>();
    CompletableFuture<Void> run = mine.async(body);
    Await.until("the run", LONG, () -> runs() == before + 1);
    assertThat(theirs.async(body).get(10, TimeUnit.SECONDS)).isNull();
    assertThat(run).isNotDone();
    body.complete(null);
    run.get(10, TimeUnit.SECONDS);
    theirs.async(new CompletableFuture<>()).get(10, TimeUnit.SECONDS);
    assertThat(runs()).isEqualTo(before + 1);
  }

  @Test
  void everyComesFromTheSchedule() throws Exception {
    HoldfastClients clients = here.getBean(HoldfastClients.class);
    assertThat(
            RunOnceOperation.of(Jobs.class.getMethod("hourlyByRate"), Jobs.class, clients).every())
        .isEqualTo(Duration.ofHours(1));
    assertThat(RunOnceOperation.of(Jobs.class.getMethod("byCron"), Jobs.class, clients).every())
        .as("the shortest gap, between 9:00 and 17:00")
        .isEqualTo(Duration.ofHours(8));
  }

  /** So a run that begins more than a minute after its tick leaves the next tick out. */
  @Test
  void theMarkOfAnHourEndsAMinuteBeforeTheHourAfterTheRunBegan() throws Exception {
    mine.job("late", false);
    Duration left =
        holdfast
            .inspector()
            .orElseThrow()
            .show(new Resource(holdfast.options().namespace(), "jobs/late"))
            .flatMap(EngineInspector.LineView::marked)
            .orElseThrow();
    assertThat(left).isBetween(Duration.ofMinutes(58), Duration.ofMinutes(59));
  }

  @Test
  void onlyTheLeaderRuns() {
    Await.until("a leader", LONG, () -> ticks(mine) + ticks(theirs) > 3);
    Jobs leader = mine.leads().isPresent() ? mine : theirs;
    Jobs other = leader == mine ? theirs : mine;
    assertThat(leader.leads()).contains("leads");
    assertThat(other.leads()).isEmpty();
    assertThat(ticks(other)).isZero();
  }

  @Test
  void aLossOfLeadershipIsReported() {
    Await.until(
        "a loss in the leader's method",
        LONG,
        () -> {
          try {
            mine.losesLead();
            theirs.losesLead();
            return false;
          } catch (LockLostException e) {
            return true;
          }
        });
  }

  /** Rule 12: a run in progress keeps its leadership; nothing new begins. */
  @Test
  void aLeaderResignsWhenItsRunHasEnded() throws Exception {
    AnnotationConfigApplicationContext third = new AnnotationConfigApplicationContext();
    third
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of("prefix", "third")));
    third.register(App.class);
    third.refresh();
    Jobs jobs = third.getBean(Jobs.class);
    CountDownLatch in = new CountDownLatch(1);
    CountDownLatch out = new CountDownLatch(1);
    CompletableFuture<?> running =
        Threads.run(
            () ->
                Await.until(
                    "leadership",
                    LONG,
                    () -> {
                      jobs.leadsUntil(in, out);
                      return !MemoryContext.target(jobs).led.isEmpty();
                    }));
    assertThat(in.await(10, TimeUnit.SECONDS)).isTrue();
    Leaders leaders = third.getBean(Leaders.class);
    leaders.stop();
    jobs.losesLead();
    assertThat(Operators.names(holdfast)).contains("third");
    out.countDown();
    running.get(10, TimeUnit.SECONDS);
    assertThat(MemoryContext.target(jobs).led).containsExactly("held to the end: true");
    Await.until("the resignation", LONG, () -> Operators.isFree(holdfast, "third"));
    third.close();
  }
}
