package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AcquireTracer;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastListener;
import io.holdfast.HoldfastOptions;
import io.holdfast.memory.MemoryEngine;
import io.holdfast.micrometer.HoldfastMeters;
import io.holdfast.micrometer.HoldfastObservations;
import io.holdfast.spi.LockEngine;
import io.holdfast.spring.Locked;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.ClassUtils;

/** U40: with the Actuator, holdfast-micrometer on the class path is all that metrics need. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class HoldfastMetricsTest {

  /** What Spring Boot configures, two clients, and a handler as a tracing library has one. */
  private final ApplicationContextRunner boot =
      new ApplicationContextRunner()
          .withUserConfiguration(App.class)
          .withPropertyValues("holdfast.url=memory:", "holdfast.clients.reports.url=memory:");

  /** The starter without Spring Boot's metrics. */
  private final ApplicationContextRunner bare =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  AopAutoConfiguration.class,
                  HoldfastAutoConfiguration.class,
                  HoldfastClientsAutoConfiguration.class,
                  HoldfastMetricsAutoConfiguration.class))
          .withBean(Guarded.class)
          .withPropertyValues("holdfast.url=memory:", "holdfast.clients.reports.url=memory:");

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class App {
    @Bean
    Guarded guarded() {
      return new Guarded();
    }

    @Bean
    Observed observed() {
      return new Observed();
    }
  }

  /** Public: a proxy may be of another class loader. */
  public static class Guarded {
    @Locked("orders/{#id}")
    public long here(long id) {
      return id;
    }

    @Locked(name = "report", client = "reports")
    public String there() {
      return "done";
    }
  }

  static final class Observed implements ObservationHandler<Observation.Context> {
    final Queue<Observation.Context> stopped = new ConcurrentLinkedQueue<>();

    @Override
    public boolean supportsContext(Observation.Context context) {
      return context.getName().startsWith("holdfast");
    }

    @Override
    public void onStop(Observation.Context context) {
      stopped.add(context);
    }
  }

  static final class Audit implements HoldfastListener {
    final Queue<String> heard = new ConcurrentLinkedQueue<>();

    @Override
    public void on(Event event) {
      heard.add(event.getClass().getSimpleName());
    }
  }

  private static void callBoth(ApplicationContext context) {
    Guarded guarded = context.getBean(Guarded.class);
    guarded.here(7);
    guarded.here(8);
    guarded.there();
  }

  /** All meters of that name, as the values of one of their tags. */
  private static Set<String> values(ApplicationContext context, String meter, String tag) {
    return context.getBean(MeterRegistry.class).find(meter).meters().stream()
        .map(Meter::getId)
        .map(id -> String.valueOf(id.getTag(tag)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> metersOf(ApplicationContext context) {
    return context.getBean(MeterRegistry.class).getMeters().stream()
        .map(meter -> meter.getId().getName())
        .filter(name -> name.startsWith("holdfast"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static double gauge(ApplicationContext context, String name, String client) {
    return context.getBean(MeterRegistry.class).get(name).tag("client", client).gauge().value();
  }

  @Test
  void u40AnnotatedCallsAreMeteredByTemplateAndClient(CapturedOutput output) {
    boot.run(
        context -> {
          callBoth(context);
          MeterRegistry registry = context.getBean(MeterRegistry.class);
          assertThat(
                  registry
                      .get("holdfast.acquire")
                      .tags("client", "holdfast", "lock", "orders/{}", "kind", "mutex")
                      .tag("outcome", "acquired")
                      .timer()
                      .count())
              .isEqualTo(2);
          assertThat(
                  registry
                      .get("holdfast.hold")
                      .tags("client", "reports", "lock", "report", "outcome", "released")
                      .timer()
                      .count())
              .isEqualTo(1);
          assertThat(values(context, "holdfast.acquire", "lock"))
              .as("one meter for each template")
              .containsExactly("orders/{}", "report");
          assertThat(output).as("rule 11").doesNotContain("not eligible");
        });
  }

  @Test
  void gaugesTellTheClientsApart() {
    boot.run(
        context -> {
          for (String gauge : List.of("holdfast.held", "holdfast.waiting", "holdfast.draining")) {
            assertThat(values(context, gauge, "client")).containsExactly("holdfast", "reports");
          }
          Holdfast reports = context.getBean("reports", Holdfast.class);
          try (var hold = reports.lock("x").tryAcquire().orElseThrow()) {
            assertThat(hold.isHeld()).isTrue();
            assertThat(gauge(context, "holdfast.held", "reports")).isEqualTo(1);
            assertThat(gauge(context, "holdfast.held", "holdfast")).isZero();
          }
        });
  }

  @Test
  void acquiresAreObserved() {
    boot.run(
        context -> {
          context.getBean(Guarded.class).here(7);
          Queue<Observation.Context> stopped = context.getBean(Observed.class).stopped;
          assertThat(stopped).hasSize(1);
          Observation.Context observation = stopped.element();
          assertThat(observation.getContextualName()).isEqualTo("acquire orders/{}");
          assertThat(observation.getHighCardinalityKeyValue("lock.name").getValue())
              .isEqualTo("orders/7");
        });
  }

  @Test
  void bootsPropertyForMetersLeavesThemOut() {
    boot.withPropertyValues("management.metrics.enable.holdfast=false")
        .run(
            context -> {
              callBoth(context);
              assertThat(metersOf(context)).isEmpty();
              assertThat(context.getBean(Observed.class).stopped).hasSize(3);
            });
  }

  @Test
  void bootsPropertyForObservationsLeavesThemOut() {
    boot.withPropertyValues("management.observations.enable.holdfast=false")
        .run(
            context -> {
              callBoth(context);
              assertThat(context.getBean(Observed.class).stopped).isEmpty();
              assertThat(metersOf(context))
                  .contains("holdfast.acquire", "holdfast.held")
                  .doesNotContain("holdfast.lock.acquire");
            });
  }

  @Test
  void spansAreKeptWithoutTheTimerThatBootMakesOfThem() {
    boot.run(
        context -> {
          callBoth(context);
          assertThat(metersOf(context)).contains("holdfast.lock.acquire");
        });
    boot.withPropertyValues("management.metrics.enable.holdfast.lock=false")
        .run(
            context -> {
              callBoth(context);
              assertThat(context.getBean(Observed.class).stopped).hasSize(3);
              assertThat(metersOf(context))
                  .contains("holdfast.acquire", "holdfast.hold", "holdfast.held")
                  .noneMatch(name -> name.startsWith("holdfast.lock"));
            });
  }

  @Test
  void nothingIsMeteredWithoutTheModule() {
    boot.withClassLoader(new FilteredClassLoader("io.holdfast.micrometer"))
        .run(
            context -> {
              callBoth(context);
              assertThat(context).hasSingleBean(MeterRegistry.class);
              assertThat(metersOf(context)).isEmpty();
              assertThat(context.getBean(Observed.class).stopped).isEmpty();
            });
  }

  @Test
  void theStarterNeedsNeitherMicrometerNorARegistry() {
    bare.withClassLoader(new FilteredClassLoader("io.micrometer", "io.holdfast.micrometer"))
        .run(
            context -> {
              callBoth(context);
              assertThat(context).doesNotHaveBean(HoldfastMetricsAutoConfiguration.class);
            });
    bare.run(
        context -> {
          callBoth(context);
          assertThat(context)
              .hasSingleBean(HoldfastMetricsAutoConfiguration.class)
              .doesNotHaveBean(ClientMeters.class)
              .doesNotHaveBean(AcquireTracer.class);
        });
  }

  @Test
  void registriesOfTheApplicationWillDo() {
    bare.withBean(SimpleMeterRegistry.class)
        .withBean(ObservationRegistry.class, ObservationRegistry::create)
        .run(
            context -> {
              callBoth(context);
              assertThat(values(context, "holdfast.acquire", "client"))
                  .containsExactly("holdfast", "reports");
              assertThat(context.getBean("reports", Holdfast.class).options().tracer())
                  .isInstanceOf(HoldfastObservations.class);
            });
  }

  @Test
  void nothingIsGuessedAmongSeveralRegistries() {
    bare.withBean("one", SimpleMeterRegistry.class)
        .withBean("two", SimpleMeterRegistry.class)
        .run(
            context -> {
              callBoth(context);
              assertThat(context).doesNotHaveBean(ClientMeters.class);
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnMeters {
    @Bean
    HoldfastMeters meters(MeterRegistry registry) {
      return HoldfastMeters.of(registry).withTags(List.of(Tag.of("team", "a")));
    }
  }

  /** Its class is not seen before the bean is there. */
  @Configuration(proxyBeanMethods = false)
  static class OwnMetersAsListener {
    @Bean
    HoldfastListener listener(MeterRegistry registry) {
      return HoldfastMeters.of(registry).withTags(List.of(Tag.of("team", "a")));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnMetersByCustomizer {
    @Bean
    HoldfastCustomizer customizer(MeterRegistry registry) {
      HoldfastMeters meters = HoldfastMeters.of(registry).withTags(List.of(Tag.of("team", "a")));
      return options -> options.withListener(meters);
    }
  }

  @Test
  void metersOfTheApplicationAreNotDoubled() {
    for (Class<?> own :
        List.of(OwnMeters.class, OwnMetersAsListener.class, OwnMetersByCustomizer.class)) {
      ApplicationContextRunner alone = boot.withUserConfiguration(own);
      for (ApplicationContextRunner each : List.of(alone, alone.withBean(Audit.class))) {
        each.run(
            context -> {
              callBoth(context);
              assertThat(values(context, "holdfast.acquire", "team")).containsExactly("a");
              assertThat(values(context, "holdfast.acquire", "client")).containsExactly("null");
              assertThat(values(context, "holdfast.held", "client")).isEmpty();
            });
      }
    }
  }

  @Test
  void listenersAndCustomizersOfTheApplicationHearTheSameEvents() {
    Audit added = new Audit();
    Audit set = new Audit();
    boot.withBean(Audit.class)
        .withBean(
            HoldfastCustomizer.class,
            () -> options -> options.withListener(options.listener().and(added)))
        .run(
            context -> {
              context.getBean(Guarded.class).here(7);
              assertThat(context.getBean(Audit.class).heard)
                  .containsExactlyInAnyOrder("Acquired", "Released");
              assertThat(added.heard).containsExactlyInAnyOrder("Acquired", "Released");
              assertThat(values(context, "holdfast.acquire", "client")).containsExactly("holdfast");
            });
    boot.withBean(HoldfastCustomizer.class, () -> options -> options.withListener(set))
        .run(
            context -> {
              context.getBean(Guarded.class).here(7);
              assertThat(set.heard).containsExactlyInAnyOrder("Acquired", "Released");
              assertThat(values(context, "holdfast.acquire", "client")).containsExactly("holdfast");
            });
  }

  @Test
  void aTracerOfTheApplicationTakesThePlaceOfObservations() {
    AcquireTracer own = acquire -> AcquireTracer.Span.NONE;
    boot.withBean("tracer", AcquireTracer.class, () -> own)
        .run(
            context -> {
              callBoth(context);
              HoldfastOptions options = context.getBean("holdfast", Holdfast.class).options();
              assertThat(options.tracer()).isSameAs(own);
              assertThat(context.getBean(Observed.class).stopped).isEmpty();
            });
  }

  @Test
  void aClientWhoseMetersAreRefusedIsClosed() {
    AtomicInteger closed = new AtomicInteger();
    MemoryEngine engine = MemoryEngine.create(System::nanoTime, () -> 0);
    LockEngine counted =
        (LockEngine)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {LockEngine.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("close")) {
                    closed.incrementAndGet();
                  }
                  return method.invoke(engine, arguments);
                });
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    registry.counter("holdfast.held", "client", "holdfast").increment();
    bare.withBean(MeterRegistry.class, () -> registry)
        .withBean("engine", LockEngine.class, () -> counted, bean -> bean.setDestroyMethodName(""))
        .withPropertyValues("holdfast.url=")
        .run(
            context -> {
              assertThat(context.getStartupFailure())
                  .hasStackTraceContaining("holdfast.held")
                  .hasRootCauseInstanceOf(IllegalArgumentException.class);
              assertThat(closed).hasPositiveValue();
            });
  }

  /** Other auto-configurations of the class path may put it there as well, but need not. */
  @Test
  void itIsOrderedAfterTheRegistriesOfThisLine() {
    AutoConfiguration order =
        HoldfastMetricsAutoConfiguration.class.getAnnotation(AutoConfiguration.class);
    assertThat(order.afterName())
        .filteredOn(name -> ClassUtils.isPresent(name, getClass().getClassLoader()))
        .extracting(ClassUtils::getShortName)
        .containsExactlyInAnyOrder(
            "CompositeMeterRegistryAutoConfiguration", "ObservationAutoConfiguration");
  }

  @Test
  void theSwitchesHaveMetadata() throws Exception {
    try (InputStream metadata =
        HoldfastProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      assertThat(metadata).isNotNull();
      assertThat(new String(metadata.readAllBytes(), StandardCharsets.UTF_8))
          .contains("management.metrics.enable.holdfast")
          .contains("management.observations.enable.holdfast");
    }
  }
}
