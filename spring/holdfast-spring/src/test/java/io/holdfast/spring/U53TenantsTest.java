package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * U53: several tenants and several stores in one application. Annotations and injection select the
 * client by name, the tenant is resolved at each call, and namespaces keep names and listings
 * apart.
 */
@Timeout(60)
class U53TenantsTest {

  private static final Duration LONG = Duration.ofSeconds(10);

  private AnnotationConfigApplicationContext context;
  private Shops shops;
  private Tenants tenants;

  /** One store with a namespace for each region, and another store. */
  @Configuration(proxyBeanMethods = false)
  @EnableHoldfast
  @EnableScheduling
  static class App {
    @Bean
    Holdfast eu() {
      return client("memory:u53-shops", "eu");
    }

    @Bean
    Holdfast us() {
      return client("memory:u53-shops", "us");
    }

    @Bean
    @Qualifier("archive")
    Holdfast anotherStore() {
      return client("memory:u53-archive", "eu");
    }

    @Bean(name = "tenants")
    Tenants tenants() {
      return new Tenants();
    }

    private static Holdfast client(String url, String namespace) {
      return Holdfast.connect(url, HoldfastOptions.DEFAULTS.withNamespace(namespace));
    }
  }

  /** Whom the calling thread works for. */
  static class Tenants {
    final ThreadLocal<String> current = new ThreadLocal<>();
    final AtomicInteger asked = new AtomicInteger();

    public String current() {
      asked.incrementAndGet();
      return current.get();
    }
  }

  static class Shops {
    @Locked(name = "report", client = "eu", waitFor = "0s")
    public Hold eu(Runnable body) {
      body.run();
      return Holds.require();
    }

    @Locked(name = "report", client = "us", waitFor = "0s")
    public Hold us(Runnable body) {
      body.run();
      return Holds.require();
    }

    @Locked(name = "report", client = "archive", waitFor = "0s")
    public Hold archive(Runnable body) {
      body.run();
      return Holds.require();
    }

    @LeaderOnly(name = "lead", client = "us")
    public Optional<String> leads() {
      return Optional.of(Holds.require().namespace());
    }

    @RunOnce(name = "once", every = "1h", client = "us")
    public void once() {
      assertThat(Holds.require().namespace()).isEqualTo("us");
    }

    @Locked(name = "{@tenants.current()}/report", client = "eu", waitFor = "0s")
    public String ofTenant(Runnable body) {
      body.run();
      return Holds.require().name();
    }
  }

  static class UnknownLocked {
    @Locked(name = "x", client = "asia")
    public void lost() {}
  }

  static class UnknownRunOnce {
    @RunOnce(name = "x", every = "1h", client = "asia")
    public void lost() {}
  }

  static class UnknownLeaderOnly {
    @LeaderOnly(name = "x", client = "asia")
    public void lost() {}
  }

  static class NoClient {
    @Locked("x")
    public void any() {}
  }

  private static AnnotationConfigApplicationContext start(Class<?>... beans) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.register(App.class);
    context.register(beans);
    try {
      context.refresh();
      return context;
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  @BeforeEach
  void start() {
    context = start(Shops.class);
    shops = context.getBean(Shops.class);
    tenants = context.getBean(Tenants.class);
  }

  @AfterEach
  void stop() {
    context.close();
  }

  private Holdfast client(String name) {
    return context.getBean(name, Holdfast.class);
  }

  @Test
  void namespacesDoNotBlockEachOtherAndStoresNeither() throws Exception {
    try (Hold inEu = client("eu").lock("report").acquire(LONG)) {
      assertThat(shops.us(() -> {}).namespace()).isEqualTo("us");
      assertThat(shops.archive(() -> {}).namespace()).isEqualTo("eu");
      assertThatThrownBy(() -> shops.eu(() -> {})).isInstanceOf(LockTimeoutException.class);
      assertThat(inEu.isHeld()).isTrue();
    }
    assertThat(shops.eu(() -> {}).namespace()).isEqualTo("eu");
  }

  @Test
  void runsAndElectionsAreOfTheClientToo() {
    Await.until("leadership", LONG, () -> shops.leads().isPresent());
    assertThat(shops.leads()).contains("us");
    shops.once();
    assertThat(Operators.names(client("us"))).containsExactly("lead");
    assertThat(Operators.isMarked(client("us"), "once")).isTrue();
    assertThat(Operators.names(client("eu"))).isEmpty();
    assertThat(Operators.isMarked(client("eu"), "once")).isFalse();
  }

  /** A hold of one client is not joined for another one that has the same name. */
  @Test
  void eachClientHasAHoldOfItsOwn() {
    shops.eu(
        () ->
            shops.us(
                () ->
                    shops.archive(
                        () -> {
                          assertThat(Holds.all()).hasSize(3).doesNotHaveDuplicates();
                          assertThat(Operators.names(client("eu"))).containsExactly("report");
                          assertThat(Operators.names(client("us"))).contains("report");
                          assertThat(Operators.names(client("anotherStore")))
                              .containsExactly("report");
                        })));
    assertThat(Operators.names(client("eu"))).isEmpty();
  }

  @Test
  void listingsAreOfTheNamespace() throws Exception {
    try (Hold inEu = client("eu").lock("only-eu").acquire(LONG);
        Hold inUs = client("us").lock("only-us").acquire(LONG)) {
      assertThat(Operators.names(client("eu"))).containsExactly(inEu.name());
      assertThat(Operators.names(client("us"))).contains(inUs.name()).doesNotContain("only-eu");
      assertThat(Operators.names(client("anotherStore"))).isEmpty();
    }
  }

  @Test
  void theTenantIsResolvedAtEachCall() {
    assertThat(tenants.asked.get()).as("asked at the start").isZero();
    tenants.current.set("acme");
    String inner =
        shops.ofTenant(
            () -> {
              tenants.current.set("umbrella");
              assertThat(shops.ofTenant(() -> {})).isEqualTo("umbrella/report");
              assertThat(Operators.names(client("eu"))).containsExactly("acme/report");
            });
    assertThat(inner).isEqualTo("acme/report");
    assertThat(tenants.asked.get()).isEqualTo(2);
    tenants.current.remove();
    assertThatThrownBy(() -> shops.ofTenant(() -> {}))
        .as("no tenant is not a tenant of its own")
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("{@tenants.current()}");
  }

  @Test
  void oneTenantDoesNotBlockAnother() throws Exception {
    try (Hold ofAcme = client("eu").lock("acme/report").acquire(LONG)) {
      tenants.current.set("umbrella");
      assertThat(shops.ofTenant(() -> {})).isEqualTo("umbrella/report");
      tenants.current.set("acme");
      assertThatThrownBy(() -> shops.ofTenant(() -> {}))
          .isInstanceOf(LockTimeoutException.class)
          .hasMessageContaining(ofAcme.name());
    } finally {
      tenants.current.remove();
    }
  }

  @Test
  void anUnknownClientFailsTheStart() {
    fails("@Locked on ", UnknownLocked.class);
    fails("@RunOnce on ", UnknownRunOnce.class);
    fails("@LeaderOnly on ", UnknownLeaderOnly.class);
  }

  private static void fails(String annotation, Class<?> beans) {
    assertThatThrownBy(() -> start(beans).close())
        .hasStackTraceContaining(annotation)
        .hasStackTraceContaining(beans.getSimpleName() + ".lost: there is no client \"asia\"")
        .hasStackTraceContaining("there are [eu, us, anotherStore]");
  }

  /** Not at the first call, which may be long after. */
  @Test
  void aMethodThatDoesNotSayWhichClientFailsTheStart() {
    assertThatThrownBy(() -> start(NoClient.class).close())
        .hasStackTraceContaining("NoClient.any does not name its client")
        .hasStackTraceContaining("none of [eu, us, anotherStore] is primary");
    assertThatThrownBy(() -> new AnnotationConfigApplicationContext(None.class).close())
        .hasStackTraceContaining("NoClient.any has no client: a bean of type")
        .hasStackTraceContaining("Holdfast");
  }

  @Configuration(proxyBeanMethods = false)
  @EnableHoldfast
  static class None {
    @Bean
    NoClient noClient() {
      return new NoClient();
    }
  }
}
