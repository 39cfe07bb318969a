package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import kotlin.Metadata;
import kotlin.coroutines.Continuation;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.annotation.Scheduled;

/** U25, rules 8 and 10: the start fails, naming the method, when an annotation has no effect. */
@Timeout(60)
class U25StartCheckTest {

  static class Fine {
    @Locked("x")
    void locked() {}

    String self() {
      locked();
      return String.valueOf(Holds.current().isPresent());
    }

    void requires() {
      Holds.require("x");
    }
  }

  static class OnceWithToken {
    @RunOnce(name = "x", every = "1m")
    void run(@Token long token) {}
  }

  static class LeaderWithToken {
    @LeaderOnly("x")
    void run(@Token long token) {}
  }

  static class Required {
    @Locked("x")
    void run() {
      assertThat(Holds.require("x").isHeld()).isTrue();
    }
  }

  static class Fenced {
    @Locked(name = "fenced", fence = true)
    void run() {}
  }

  @Configuration(proxyBeanMethods = false)
  @EnableHoldfast
  static class OnlyAnnotations {}

  static class Database {
    @Bean
    JdbcTransactionManager transactionManager() {
      JdbcDataSource source = new JdbcDataSource();
      source.setUrl("jdbc:h2:mem:start-check");
      return new JdbcTransactionManager(source);
    }

    @Bean
    TransactionFence fence() {
      return new SqlTransactionFence(SqlTransactionFence.DEFAULT_TABLE, true);
    }
  }

  static class PrivateMethod {
    @Locked("x")
    @SuppressWarnings("UnusedMethod") // that it cannot be called is the point
    private void hidden() {}
  }

  static class FinalMethod {
    @Locked("x")
    final void fixed() {}
  }

  static class StaticMethod {
    @Locked("x")
    static void shared() {}
  }

  static class PrimitiveSkip {
    @Locked(name = "x", onBusy = OnBusy.SKIP)
    int count() {
      return 1;
    }
  }

  static class ObjectSkip {
    @Locked(name = "x", onBusy = OnBusy.SKIP)
    String text() {
      return "";
    }
  }

  static class BadExpression {
    @Locked("orders/{#id +}")
    void bad(long id) {}
  }

  static class UnknownArgument {
    @Locked("orders/{#oder}")
    void bad(long order) {}
  }

  static class BadWait {
    @Locked(name = "x", waitFor = "5")
    void bad() {}
  }

  static class NoName {
    @Locked
    void bad() {}
  }

  static class UnknownClient {
    @Locked(name = "x", client = "nobody")
    void bad() {}
  }

  static class PlainFuture {
    @Locked("x")
    Future<String> bad() {
      return new java.util.concurrent.CompletableFuture<>();
    }
  }

  /** What Kotlin's compiler makes of a suspending function. */
  @Metadata
  static class Suspending {
    @Locked("x")
    Object bad(long id, Continuation<? super String> rest) {
      return rest;
    }
  }

  static class TextToken {
    @Locked("x")
    void bad(@Token String token) {}
  }

  static class FenceWithoutOne {
    @Locked(name = "x", fence = true)
    void bad() {}
  }

  static class ManagerWithoutFence {
    @Locked(name = "x", transactionManager = "tm")
    void bad() {}
  }

  static class OnceWithFixedDelay {
    @Scheduled(fixedDelay = 1000)
    @RunOnce(name = "x")
    void bad() {}
  }

  static class OnceTooOften {
    @RunOnce(name = "x", every = "500ms")
    void bad() {}
  }

  static class OnceWithResult {
    @RunOnce(name = "x", every = "1m")
    Optional<String> bad() {
      return Optional.empty();
    }
  }

  static class LeaderWithResult {
    @LeaderOnly("x")
    int bad() {
      return 1;
    }
  }

  static class LeaderWithSlot {
    @LeaderOnly("x/{#id}")
    void bad(long id) {}
  }

  /** A JDK proxy has the methods of its interface only. */
  static class BehindInterface implements Supplier<String> {
    @Override
    @Locked("x")
    public String get() {
      return "";
    }

    @Locked("y")
    public void outside() {}
  }

  /** Needed by a BeanPostProcessor, so created before the advice is. */
  static class TooEarly {
    @Locked("x")
    void bad() {}
  }

  static class EarlyProcessor implements BeanPostProcessor, PriorityOrdered {
    @Override
    public int getOrder() {
      return 0;
    }
  }

  static class Early {
    @Bean
    static EarlyProcessor processor(TooEarly early) {
      return new EarlyProcessor();
    }
  }

  static class Unchecked {
    @Bean
    static LockedSettings settings() {
      return LockedSettings.DEFAULTS.withCheck(false);
    }
  }

  static class UnsetInName {
    @Locked("orders/${no.region}/{#id}")
    void bad(long id) {}
  }

  static class UnsetInWait {
    @Locked(name = "x", waitFor = "${no.wait}")
    void bad() {}
  }

  static class UnsetInOnce {
    @RunOnce(name = "x", every = "${no.period}")
    void bad() {}
  }

  static class UnsetInElection {
    @LeaderOnly("${no.election}")
    void bad() {}
  }

  static class BadCron {
    @Scheduled(cron = "every day")
    @RunOnce(name = "x")
    void bad() {}
  }

  static class BadZone {
    @Scheduled(cron = "0 0 * * * *", zone = "Nowhere")
    @RunOnce(name = "x")
    void bad() {}
  }

  /** As Spring Boot adds it: without, a property that is not set stays as it is written. */
  static class Strict {
    @Bean
    static PropertySourcesPlaceholderConfigurer properties() {
      return new PropertySourcesPlaceholderConfigurer();
    }
  }

  private static void fails(String message, Class<?>... beans) {
    assertThatThrownBy(() -> MemoryContext.start(beans).close())
        .hasStackTraceContaining("annotated methods that Holdfast cannot guard")
        .hasStackTraceContaining(message);
  }

  @Test
  void whatCannotBeGuardedFailsTheStart() {
    fails("PrivateMethod.hidden has no effect: the method is private", PrivateMethod.class);
    fails("FinalMethod.fixed has no effect: the method is final", FinalMethod.class);
    fails("StaticMethod.shared has no effect: the method is static", StaticMethod.class);
    fails("PrimitiveSkip.count: onBusy = SKIP needs", PrimitiveSkip.class);
    fails("ObjectSkip.text: onBusy = SKIP needs", ObjectSkip.class);
    fails("{#id +} in the name \"orders/{#id +}\" is not an expression", BadExpression.class);
    fails("#oder in the name \"orders/{#oder}\" is not an argument", UnknownArgument.class);
    fails("BadWait.bad, waitFor: \"5\" is not a duration", BadWait.class);
    fails("NoName.bad has no name", NoName.class);
    fails("there is no client \"nobody\"; there are [holdfast]", UnknownClient.class);
    fails("PlainFuture.bad returns java.util.concurrent.Future", PlainFuture.class);
    fails("Suspending.bad is a suspending function", Suspending.class);
    fails("@Token is for long or Map<String, Long>, not for", TextToken.class);
    fails("fence = true needs a bean of type TransactionFence", FenceWithoutOne.class);
    fails("transactionManager is for fence = true", ManagerWithoutFence.class);
    fails("a fixed delay is not a period", OnceWithFixedDelay.class);
    fails("the period must be at least 1 s; it is 500 ms", OnceTooOften.class);
    fails("OnceWithResult.bad: the method must return void", OnceWithResult.class);
    fails("LeaderWithResult.bad: the method must return void or Optional", LeaderWithResult.class);
    fails("the name of an election has no slots", LeaderWithSlot.class);
    fails("'outside' declared on target class", BehindInterface.class);
    fails("the bean u25StartCheckTest.TooEarly has no proxy", TooEarly.class, Early.class);
  }

  @Test
  void aScheduleThatCannotBeParsedFailsTheStart() {
    fails("@RunOnce on " + BadCron.class.getName() + ".bad: Cron expression", BadCron.class);
    fails("BadZone.bad: Unknown time-zone ID: Nowhere", BadZone.class);
  }

  /** The first of them is not all that is reported. */
  @Test
  void propertiesThatAreNotSetAreReportedWithTheOtherProblems() {
    assertThatThrownBy(
            () ->
                MemoryContext.start(
                        Strict.class,
                        UnsetInName.class,
                        UnsetInWait.class,
                        UnsetInOnce.class,
                        UnsetInElection.class,
                        FinalMethod.class)
                    .close())
        .isInstanceOfSatisfying(
            UnguardedMethodsException.class,
            e ->
                assertThat(e.problems())
                    .hasSize(5)
                    .anyMatch(
                        problem ->
                            problem.startsWith(
                                    "@Locked on "
                                        + UnsetInName.class.getName()
                                        + ".bad, name: \"orders/${no.region}/{#id}\" has a"
                                        + " property that is not set (")
                                && problem.contains("'no.region'")
                                && problem.contains("${property:default}"))
                    .anyMatch(problem -> problem.contains("UnsetInWait.bad, waitFor: \"${no.wait}"))
                    .anyMatch(problem -> problem.contains("UnsetInOnce.bad, every: \"${no.period"))
                    .anyMatch(problem -> problem.contains("UnsetInElection.bad, name: \"${no.ele"))
                    .anyMatch(problem -> problem.contains("FinalMethod.fixed has no effect")));
  }

  @Test
  void aTokenThatNobodySetsFailsTheStart() {
    fails("OnceWithToken.run: @Token is for @Locked", OnceWithToken.class);
    fails("LeaderWithToken.run: @Token is for @Locked", LeaderWithToken.class);
  }

  /**
   * As in a web application: clients and transaction managers in the parent, services in a child.
   */
  @Test
  void aChildContextUsesTheClientOfItsParent() {
    try (AnnotationConfigApplicationContext parent = MemoryContext.start(Database.class);
        AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
      child.setParent(parent);
      child.register(OnlyAnnotations.class, Required.class, Fenced.class);
      child.refresh();
      child.getBean(Required.class).run();
      assertThatCode(child.getBean(Fenced.class)::run).doesNotThrowAnyException();
    }
  }

  /** It would begin its transactions without the fence. */
  @Test
  void aTransactionManagerThatDoesNotReportHereFailsTheStart() {
    try (AnnotationConfigApplicationContext parent =
            new AnnotationConfigApplicationContext(Database.class);
        AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
      child.setParent(parent);
      child.register(MemoryContext.App.class, Fenced.class);
      assertThatThrownBy(child::refresh)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("transactionManager")
          .hasMessageContaining("@EnableHoldfast");
    }
  }

  @Test
  void allProblemsAreReportedAtOnce() {
    fails("PrivateMethod.hidden", PrivateMethod.class, FinalMethod.class, NoName.class);
    fails("FinalMethod.fixed", PrivateMethod.class, FinalMethod.class, NoName.class);
    fails("NoName.bad", PrivateMethod.class, FinalMethod.class, NoName.class);
  }

  @Test
  void theCheckCanBeSwitchedOff() {
    assertThatCode(() -> MemoryContext.start(PrivateMethod.class, Unchecked.class).close())
        .doesNotThrowAnyException();
  }

  @Test
  void theOrderCannotBeThatOfTransactions() {
    assertThatThrownBy(() -> LockedSettings.DEFAULTS.withOrder(Integer.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("@Transactional");
  }

  /** A call from within the class passes by the proxy; {@code require} notices. */
  @Test
  void requireFailsWhereTheAnnotationHasNoEffect() {
    try (AnnotationConfigApplicationContext context = MemoryContext.start(Fine.class)) {
      Fine fine = context.getBean(Fine.class);
      assertThat(fine.self()).isEqualTo("false");
      assertThatThrownBy(Holds::require)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("runs without a lock");
      assertThatThrownBy(fine::requires)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("runs without the lock \"x\"; this thread holds []");
      assertThat(Operators.names(context.getBean(Holdfast.class))).isEmpty();
    }
  }
}
