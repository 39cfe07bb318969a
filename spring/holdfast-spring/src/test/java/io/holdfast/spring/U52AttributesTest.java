package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockTimeoutException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.AliasFor;

/**
 * U52: every attribute of {@link Locked} set to every value, with an observed effect. What happens
 * when a lock is busy is in {@link U26BusyTest}, what is about transactions in {@link
 * Rule06FencingRules}.
 */
@Timeout(60)
class U52AttributesTest {

  private static final Duration LONG = Duration.ofSeconds(10);

  private static AnnotationConfigApplicationContext context;
  private static Holdfast holdfast;
  private static Holdfast second;
  private static Guarded guarded;

  /** A caller's own annotation. */
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @Locked(waitFor = "0s")
  @interface OneAtATime {
    @AliasFor(annotation = Locked.class, attribute = "name")
    String value();
  }

  static class Clients {
    @Bean(defaultCandidate = false)
    @Qualifier("reports")
    Holdfast second() {
      return Holdfast.connect("memory:");
    }

    @Bean
    static LockedSettings settings() {
      return LockedSettings.DEFAULTS.withWaitFor(Duration.ofMillis(200));
    }
  }

  static class Guarded {
    private String held() {
      return Holds.require().name();
    }

    @Locked("by-value")
    String byValue() {
      return held();
    }

    @Locked(name = "by-name/{#id}")
    String byName(long id) {
      return held();
    }

    @Locked("${app.lock}/{#id}")
    String byProperty(long id) {
      return held();
    }

    @OneAtATime("composed/{#id}")
    String composed(long id) {
      return held();
    }

    @Locked("x")
    String defaultWait() {
      return held();
    }

    @Locked(name = "x", waitFor = "0s")
    String noWait() {
      return held();
    }

    @Locked(name = "x", waitFor = "${app.wait}")
    String longWait() {
      return held();
    }

    @Locked(name = "rw", side = LockSide.READ, waitFor = "0s")
    String read(CountDownLatch in, CountDownLatch out) throws InterruptedException {
      in.countDown();
      out.await();
      return held();
    }

    @Locked(name = "rw", side = LockSide.WRITE, waitFor = "0s", onBusy = OnBusy.SKIP)
    Optional<String> write() {
      return Optional.of(held());
    }

    @Locked(name = "mutex", side = LockSide.EXCLUSIVE)
    String exclusive() {
      return held();
    }

    @Locked(name = "elsewhere", client = "reports", waitFor = "0s")
    String elsewhere() {
      return held();
    }

    @Locked(name = "elsewhere", client = "second", waitFor = "0s")
    String byBeanName() {
      return held();
    }

    @Locked("tokens/{#id}")
    long token(long id, @Token long token) {
      assertThat(token).isEqualTo(Holds.require().token());
      return token;
    }

    @Locked("tokens/{#ids}")
    Map<String, Long> tokens(List<Integer> ids, @Token Map<String, Long> tokens) {
      assertThat(Holds.all()).hasSameSizeAs(tokens.keySet());
      return tokens;
    }

    @Locked("tokens/{#ids}")
    long oneToken(List<Integer> ids, @Token Long token) {
      return token;
    }
  }

  /** Both annotations are inherited. */
  interface Declared {
    @Locked("declared/{#id}")
    long token(long id, @Token long token);
  }

  static class Declaring implements Declared {
    @Override
    public long token(long id, long token) {
      return token;
    }
  }

  /** As of clients and repositories that are made from their interface. */
  static class Implemented implements FactoryBean<Declared> {
    @Override
    public Declared getObject() {
      return (Declared)
          Proxy.newProxyInstance(
              Declared.class.getClassLoader(),
              new Class<?>[] {Declared.class},
              (proxy, method, arguments) -> arguments[1]);
    }

    @Override
    public Class<?> getObjectType() {
      return Declared.class;
    }
  }

  @BeforeAll
  static void start() {
    context =
        MemoryContext.start(
            Map.of("app.lock", "from-property", "app.wait", "10s"), Clients.class, Guarded.class);
    holdfast = context.getBean(Holdfast.class);
    second = context.getBean("second", Holdfast.class);
    guarded = context.getBean(Guarded.class);
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  @AfterEach
  void nothingIsLeft() {
    Operators.awaitEmpty(holdfast);
    Operators.awaitEmpty(second);
    assertThat(Holds.current()).isEmpty();
  }

  @Test
  void nameAndValueAndProperties() {
    assertThat(guarded.byValue()).isEqualTo("by-value");
    assertThat(guarded.byName(7)).isEqualTo("by-name/7");
    assertThat(guarded.byProperty(7)).isEqualTo("from-property/7");
    assertThat(guarded.composed(7)).isEqualTo("composed/7");
    assertThat(context.getBean(MemoryContext.Events.class).releasedTags())
        .contains("by-value", "by-name/{}", "from-property/{}", "composed/{}");
  }

  @Test
  void waitForIsHowLongACallWaits() throws Exception {
    try (Hold other = holdfast.lock("x").acquire(LONG)) {
      assertThat(Duration.ofNanos(timeToFail(guarded::noWait))).isLessThan(millis(200));
      assertThat(Duration.ofNanos(timeToFail(guarded::defaultWait)))
          .isBetween(millis(200), millis(5000));
      CompletableFuture<String> waiting = Threads.supply(guarded::longWait);
      holdfast.lock("later").call(LONG, hold -> hold.token());
      assertThat(waiting).isNotDone();
      other.release();
      assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo("x");
    }
    assertThat(guarded.noWait()).isEqualTo("x");
  }

  @ParameterizedTest
  @CsvSource({
    "0s, PT0S",
    "500ms, PT0.5S",
    "5s, PT5S",
    "2m, PT2M",
    "1h, PT1H",
    "3d, PT72H",
    "' 5 s ', PT5S",
    "PT5S, PT5S"
  })
  void everyFormOfADuration(String text, Duration duration) {
    assertThat(Durations.parse(text, "here")).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "s", "-5s", "PT-5S", "5 weeks", "1.5s", "999999999999999999d"})
  void whatIsNoDuration(String text) {
    assertThatThrownBy(() -> Durations.parse(text, "here"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("here: \"" + text + "\" is not a duration");
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  private static long timeToFail(Runnable call) {
    long started = System.nanoTime();
    assertThatThrownBy(call::run)
        .isInstanceOf(LockTimeoutException.class)
        .hasMessageContaining("x");
    return System.nanoTime() - started;
  }

  @Test
  void readersShareAndWritersDoNot() throws Exception {
    CountDownLatch in = new CountDownLatch(2);
    CountDownLatch out = new CountDownLatch(1);
    CompletableFuture<?> first = Threads.run(() -> read(in, out));
    CompletableFuture<?> other = Threads.run(() -> read(in, out));
    assertThat(in.await(10, TimeUnit.SECONDS)).as("both readers are in").isTrue();
    assertThat(guarded.write()).isEmpty();
    out.countDown();
    CompletableFuture.allOf(first, other).get(10, TimeUnit.SECONDS);
    assertThat(guarded.write()).contains("rw");
    assertThat(guarded.exclusive()).isEqualTo("mutex");
  }

  private static void read(CountDownLatch in, CountDownLatch out) {
    try {
      guarded.read(in, out);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** U53: the annotation selects the client by qualifier or bean name. */
  @Test
  void clientSelectsTheStore() throws Exception {
    try (Hold other = holdfast.lock("elsewhere").acquire(LONG)) {
      assertThat(guarded.elsewhere()).isEqualTo("elsewhere");
      assertThat(guarded.byBeanName()).isEqualTo("elsewhere");
    }
    try (Hold other = second.lock("elsewhere").acquire(LONG)) {
      assertThatThrownBy(guarded::elsewhere).isInstanceOf(LockTimeoutException.class);
      assertThatThrownBy(guarded::byBeanName).isInstanceOf(LockTimeoutException.class);
    }
  }

  @Test
  void tokenReceivesTheTokenOfTheHold() {
    assertThat(guarded.token(1, -1)).isPositive();
    assertThat(guarded.tokens(List.of(2, 1, 2), Map.of())).containsOnlyKeys("tokens/1", "tokens/2");
    assertThat(guarded.oneToken(List.of(5, 5), -1L)).isPositive();
    assertThatThrownBy(() -> guarded.oneToken(List.of(5, 6), -1L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Map<String, Long>");
  }

  @Test
  void annotationsOfInterfacesAreInherited() {
    for (Class<?> bean : List.of(Declaring.class, Implemented.class)) {
      try (AnnotationConfigApplicationContext inheriting = MemoryContext.start(bean)) {
        assertThat(inheriting.getBean(Declared.class).token(1, -1)).isPositive();
      }
    }
  }
}
