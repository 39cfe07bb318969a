package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockTimeoutException;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.spring.Holds;
import io.holdfast.spring.Locked;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * U53: an application with Redis for most locks and a store in memory for some. Annotations,
 * injection and the endpoint select the client by name; two applications with namespaces of their
 * own share a server.
 */
@Timeout(60)
class U53StoresIT {

  private static final Duration LONG = Duration.ofSeconds(10);
  private static final String NAME = "report";

  private static RedisServer redis;
  private static ConfigurableApplicationContext shop;
  private static ConfigurableApplicationContext depot;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class App {
    @Bean
    Reports reports(Holdfast main, @Qualifier("local") Holdfast local) {
      return new Reports(main, local);
    }

    /** Nobody may ask it at the start, where no tenant is known. */
    @Bean
    AbstractRoutingDataSource dataSource() {
      return new WithoutTenant();
    }
  }

  static class WithoutTenant extends AbstractRoutingDataSource {
    WithoutTenant() {
      JdbcDataSource acme = new JdbcDataSource();
      acme.setUrl("jdbc:h2:mem:acme");
      setTargetDataSources(Map.of("acme", acme));
    }

    @Override
    protected Object determineCurrentLookupKey() {
      throw new IllegalStateException("asked for a connection where there is no tenant");
    }
  }

  static class Reports {
    final Holdfast main;
    final Holdfast local;

    Reports(Holdfast main, Holdfast local) {
      this.main = main;
      this.local = local;
    }

    @Locked(name = NAME, waitFor = "0s")
    public Hold inMain() {
      return Holds.require();
    }

    @Locked(name = NAME, client = "local", waitFor = "0s")
    public Hold inLocal() {
      return Holds.require();
    }

    Hold acquireMain() throws InterruptedException {
      return main.lock(NAME).acquire(LONG);
    }

    Hold acquireLocal() throws InterruptedException {
      return local.lock(NAME).acquire(LONG);
    }
  }

  static class Wrong {
    @Locked(name = NAME, client = "remote")
    public void lost() {}
  }

  @BeforeAll
  static void start() {
    redis = RedisServer.start();
    shop = application("shop");
    depot = application("depot");
  }

  private static ConfigurableApplicationContext application(String name, Class<?>... more) {
    return new SpringApplicationBuilder(App.class)
        .sources(more)
        .run(
            "--spring.application.name=" + name,
            "--holdfast.url=" + redis.uri(),
            "--holdfast.clients.local.url=memory:u53-stores",
            "--holdfast.clients.local.namespace=local",
            "--management.endpoints.web.exposure.include=holdfast,health",
            "--management.endpoint.health.show-details=always",
            "--server.port=0",
            "--server.address=127.0.0.1",
            "--spring.main.banner-mode=off");
  }

  @AfterAll
  static void stop() {
    shop.close();
    depot.close();
    redis.close();
  }

  private static Reports reports(ConfigurableApplicationContext application) {
    return application.getBean(Reports.class);
  }

  @Test
  void annotationsSelectTheStoreByName() throws Exception {
    Reports reports = reports(shop);
    assertThat(shop.getBean(Holdfast.class).traits().store()).contains("redis");
    assertThat(shop.getBean("local", Holdfast.class).traits().store()).contains("memory");
    try (Hold held = reports.acquireMain()) {
      assertThat(reports.inLocal().namespace()).isEqualTo("local");
      assertThatThrownBy(reports::inMain)
          .isInstanceOf(LockTimeoutException.class)
          .hasMessageContaining(held.name());
    }
    try (Hold held = reports.acquireLocal()) {
      assertThat(reports.inMain().namespace()).isEqualTo("shop");
      assertThatThrownBy(reports::inLocal)
          .isInstanceOf(LockTimeoutException.class)
          .hasMessageContaining(held.name());
    }
  }

  @Test
  void namespacesKeepApplicationsOnOneServerApart() throws Exception {
    try (Hold held = reports(shop).acquireMain()) {
      assertThat(held.namespace()).isEqualTo("shop");
      assertThat(reports(depot).inMain().namespace()).isEqualTo("depot");
    }
    try (Hold held = reports(shop).acquireLocal()) {
      assertThatThrownBy(() -> reports(depot).inLocal())
          .as("one namespace of one store is shared")
          .isInstanceOf(LockTimeoutException.class)
          .hasMessageContaining(held.name());
    }
  }

  @Test
  void theEndpointSelectsTheClientByName() throws Exception {
    HoldfastEndpoint endpoint = shop.getBean(HoldfastEndpoint.class);
    HoldfastEndpoint ofDepot = depot.getBean(HoldfastEndpoint.class);
    try (Hold held = reports(shop).acquireMain()) {
      assertThat(endpoint.list(null, null, null, null).getBody())
          .containsEntry("namespace", "shop")
          .hasEntrySatisfying("clients", all -> assertThat(all).hasToString("[holdfast, local]"))
          .hasEntrySatisfying(
              "locks", locks -> assertThat(locks.toString()).contains("name=" + held.name()));
      assertThat(endpoint.list("local", null, null, null).getBody())
          .containsEntry("namespace", "local")
          .hasEntrySatisfying("locks", locks -> assertThat(locks).hasToString("[]"));
      assertThat(endpoint.show(new String[] {NAME}, null).getStatus()).isEqualTo(200);
      assertThat(endpoint.show(new String[] {NAME}, "local").getStatus()).isEqualTo(404);
      assertThat(ofDepot.show(new String[] {NAME}, null).getStatus()).isEqualTo(404);
    }
    WebEndpointResponse<?> unknown = endpoint.list("remote", null, null, null);
    assertThat(unknown.getStatus()).isEqualTo(400);
    assertThat(unknown.getBody())
        .hasToString("{error=there is no client remote; there are [holdfast, local]}");
  }

  @Test
  void healthIsOfEachClient() throws Exception {
    for (String client : new String[] {"holdfast", "local"}) {
      HttpResponse<String> health = health("/holdfast/" + client);
      assertThat(health.statusCode()).isEqualTo(200);
      assertThat(health.body()).contains("UP");
    }
    assertThat(health("/holdfast/remote").statusCode()).isEqualTo(404);
  }

  private static HttpResponse<String> health(String path) throws Exception {
    String port = shop.getEnvironment().getRequiredProperty("local.server.port");
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + port + "/actuator/health" + path))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void theEndpointAsksForTheClientWhereNoneIsPrimary() {
    try (AnnotationConfigApplicationContext two = new AnnotationConfigApplicationContext()) {
      two.registerBean("east", Holdfast.class, () -> Holdfast.connect("memory:"));
      two.registerBean("west", Holdfast.class, () -> Holdfast.connect("memory:"));
      two.refresh();
      HoldfastEndpoint endpoint = new HoldfastEndpoint(two);
      assertThat(endpoint.list("west", null, null, null).getBody()).containsEntry("status", "UP");
      WebEndpointResponse<?> unnamed = endpoint.list(null, null, null, null);
      assertThat(unnamed.getStatus()).isEqualTo(400);
      assertThat(unnamed.getBody())
          .asString()
          .contains("client must name one of [east, west], of which none is primary");
    }
  }

  @Test
  void anUnknownClientFailsTheStart() {
    assertThatThrownBy(() -> application("wrong", Wrong.class).close())
        .hasStackTraceContaining("Wrong.lost: there is no client \"remote\"")
        .hasStackTraceContaining("there are [holdfast, local]");
  }
}
