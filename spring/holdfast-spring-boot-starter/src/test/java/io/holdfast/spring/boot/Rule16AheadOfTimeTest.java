package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.micrometer.HoldfastObservations;
import io.holdfast.spring.Holds;
import io.holdfast.spring.Locked;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;

/** Rule 16: a context that was processed ahead of time starts, guarded as any other. */
@Timeout(120)
class Rule16AheadOfTimeTest {

  /** An argument whose methods SpEL calls. */
  public record Order(long id) {}

  /** A bean with annotated methods. */
  public static class Guarded {
    @Locked("orders/{#order.id()}")
    public String locked(Order order) {
      return Holds.require().name() + " in " + Holds.require().namespace();
    }

    @Locked(name = "report", client = "reports")
    public String elsewhere() {
      return Holds.require().namespace();
    }
  }

  /** The application. */
  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    AopAutoConfiguration.class,
    HoldfastAutoConfiguration.class,
    HoldfastClientsAutoConfiguration.class,
    HoldfastMetricsAutoConfiguration.class
  })
  public static class App {
    @Bean
    public SimpleMeterRegistry meters() {
      return new SimpleMeterRegistry();
    }

    @Bean
    public ObservationRegistry observations() {
      return ObservationRegistry.create();
    }

    @Bean
    public Guarded guarded() {
      return new Guarded();
    }
  }

  private static void properties(GenericApplicationContext context) {
    TestPropertyValues.of(
            "holdfast.url=memory:",
            "holdfast.namespace=aot",
            "holdfast.clients.reports.url=memory:",
            "holdfast.clients.reports.namespace=reports")
        .applyTo(context);
  }

  @Test
  @CompileWithForkedClassLoader
  void aProcessedContextStarts() {
    AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext();
    properties(source);
    source.register(App.class);
    TestGenerationContext generation = new TestGenerationContext();
    var initializer = new ApplicationContextAotGenerator().processAheadOfTime(source, generation);
    generation.writeGeneratedContent();
    RuntimeHints hints = generation.getRuntimeHints();
    assertThat(
            RuntimeHintsPredicates.resource().forResource("io/holdfast/redis/verbs/leave-any.lua"))
        .accepts(hints);
    assertThat(
            RuntimeHintsPredicates.resource()
                .forResource("META-INF/services/io.holdfast.spi.EngineProvider"))
        .accepts(hints);
    assertThat(RuntimeHintsPredicates.reflection().onMethod(Order.class, "id")).accepts(hints);

    TestCompiler.forSystem()
        .with(generation)
        .compile(
            compiled -> {
              GenericApplicationContext context = new GenericApplicationContext();
              properties(context);
              @SuppressWarnings("unchecked") // what was generated is of this type
              ApplicationContextInitializer<GenericApplicationContext> generated =
                  compiled.getInstance(ApplicationContextInitializer.class, initializer.toString());
              generated.initialize(context);
              context.refresh();
              try (context) {
                Guarded guarded = context.getBean(Guarded.class);
                assertThat(guarded.locked(new Order(7))).isEqualTo("orders/7 in aot");
                assertThat(guarded.elsewhere()).isEqualTo("reports");
                assertThat(context.getBean(Holdfast.class).stats().held()).isZero();
                assertThat(context.getBean(Holdfast.class).options().tracer())
                    .isInstanceOf(HoldfastObservations.class);
                assertThat(
                        context
                            .getBean(MeterRegistry.class)
                            .get("holdfast.hold")
                            .tags("client", "reports", "lock", "report")
                            .timer()
                            .count())
                    .isEqualTo(1);
              }
            });
    assertThatThrownBy(Holds::require).isInstanceOf(IllegalStateException.class);
  }
}
