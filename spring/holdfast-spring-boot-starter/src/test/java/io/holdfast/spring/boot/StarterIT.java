package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Loss;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spring.Locked;
import io.holdfast.spring.RunOnce;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Transactional;

/** Two applications on PostgreSQL, with nothing set but the address of the database. */
@Timeout(180)
@ExtendWith(OutputCaptureExtension.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StarterIT {

  private static final Duration BOUND = Duration.ofSeconds(30);

  private static PostgresServer postgres;
  private static ConfigurableApplicationContext here;
  private static ConfigurableApplicationContext there;
  private static String started;

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableScheduling
  static class App {
    @Bean
    Stock stock(JdbcTemplate jdbc) {
      return new Stock(jdbc);
    }

    @Bean
    Jobs jobs() {
      return new Jobs();
    }
  }

  static class Stock {
    private final JdbcTemplate jdbc;

    Stock(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    @Locked(name = "stock/{#id}", waitFor = "30s", fence = true)
    @Transactional
    public void decrement(int id) {
      Integer seen = jdbc.queryForObject("select qty from stock where id = ?", Integer.class, id);
      jdbc.update("update stock set qty = ? where id = ?", seen - 1, id);
    }
  }

  static class Jobs {
    static final AtomicInteger RUNS = new AtomicInteger();

    @Scheduled(fixedRate = 3_600_000)
    @RunOnce(name = "hourly")
    public void hourly() {
      RUNS.incrementAndGet();
    }
  }

  @BeforeAll
  static void start(CapturedOutput output) {
    postgres = PostgresServer.start();
    here = application();
    there = application();
    started = output.getAll();
    JdbcTemplate jdbc = here.getBean(JdbcTemplate.class);
    jdbc.execute("create table stock (id int primary key, qty int not null)");
    jdbc.update("insert into stock values (1, 200)");
  }

  private static ConfigurableApplicationContext application() {
    return new SpringApplicationBuilder(App.class)
        .run(
            "--spring.application.name=shop",
            "--spring.datasource.url=" + postgres.jdbcUri(PostgresServer.DATABASE, postgres.user()),
            "--holdfast.fence.create=true",
            "--holdfast.store=datasource",
            "--server.port=0",
            "--server.address=127.0.0.1",
            "--management.endpoints.web.exposure.include=*",
            "--management.endpoint.health.show-details=always",
            "--management.endpoint.health.probes.enabled=true",
            "--management.endpoint.holdfast.access=unrestricted");
  }

  @AfterAll
  static void stop() {
    here.close();
    there.close();
    postgres.close();
  }

  private static HttpResponse<String> http(String method, String path) throws Exception {
    String port = here.getEnvironment().getRequiredProperty("local.server.port");
    try (var scope = new Scope(HttpClient.newHttpClient())) {
      return scope
          .client()
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                  .method(method, HttpRequest.BodyPublishers.noBody())
                  .build(),
              HttpResponse.BodyHandlers.ofString());
    }
  }

  /** Clients of JDK 17 cannot be closed; they end when they are unreachable. */
  private record Scope(HttpClient client) implements AutoCloseable {
    @Override
    public void close() {}
  }

  @Test
  @Order(1)
  void rule11NoBeanIsCreatedTooEarly() {
    assertThat(SpringBootVersion.getVersion())
        .as("the line that this run is for")
        .isEqualTo(System.getProperty("spring-boot.line"));
    Figure.print("Spring Boot %s", SpringBootVersion.getVersion());
    assertThat(started).contains("Started").doesNotContain("not eligible");
    assertThat(here.getBean(ClientMeters.class)).as("with metrics").isNotNull();
  }

  @Test
  @Order(2)
  void u02NoUpdateOfTwoMachinesIsLost() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Stock stock = (i % 2 == 0 ? here : there).getBean(Stock.class);
      all.add(threads.submit(() -> stock.decrement(1)));
    }
    for (Future<?> each : all) {
      each.get(60, TimeUnit.SECONDS);
    }
    threads.shutdown();
    JdbcTemplate jdbc = here.getBean(JdbcTemplate.class);
    assertThat(jdbc.queryForObject("select qty from stock", Integer.class)).isZero();
    assertThat(jdbc.queryForObject("select resource from holdfast_fence", String.class))
        .isEqualTo("shop:stock/1");
    assertThat(
            jdbc.queryForList(
                "select table_name from information_schema.tables"
                    + " where table_name like 'holdfast%' order by 1",
                String.class))
        .as("the last one because holdfast.fence.create is set")
        .containsExactlyInAnyOrder(
            "holdfast_lock", "holdfast_ticket", "holdfast_meta", "holdfast_fence");
    Integer connections =
        jdbc.queryForObject(
            "select count(*) from pg_stat_activity where application_name = 'holdfast'",
            Integer.class);
    Figure.print("two applications have %d connections for locks", connections);
    assertThat(connections)
        .as("each has 3, one that listens, and one at times")
        .isBetween(2 * 3, 2 * 5);
    String holds = "/actuator/metrics/holdfast.hold?tag=lock:stock/%7B%7D&tag=client:holdfast";
    Await.until( // the last of them may be counted after its caller has gone on
        "U40: half of the calls, which were here, to be counted",
        BOUND,
        () -> http("GET", holds).body().contains("{\"statistic\":\"COUNT\",\"value\":100.0}"));
  }

  @Test
  @Order(3)
  void u54OneOfTwoMachinesRunsAJob() {
    Await.until("the job", BOUND, () -> Jobs.RUNS.get() > 0);
    here.getBean(Jobs.class).hourly();
    there.getBean(Jobs.class).hourly();
    assertThat(Jobs.RUNS.get()).isEqualTo(1);
  }

  @Test
  @Order(4)
  void theEndpointShowsAndRevokes() throws Exception {
    Holdfast holdfast = there.getBean(Holdfast.class);
    Hold hold = holdfast.lock("orders/eu/42").acquire(BOUND);
    assertThat(http("GET", "/actuator/holdfast?prefix=orders/").body())
        .contains("\"orders/eu/42\"", "\"namespace\":\"shop\"", "\"status\":\"UP\"");
    assertThat(http("GET", "/actuator/holdfast?prefix=none/").body())
        .doesNotContain("orders/eu/42");
    assertThat(http("GET", "/actuator/holdfast/orders/eu/42").body())
        .contains("\"token\":\"" + hold.token() + "\"", "HOLDING");
    assertThat(http("GET", "/actuator/holdfast/orders/eu/43").statusCode()).isEqualTo(404);
    assertThat(http("GET", "/actuator/holdfast?limit=0").statusCode()).isEqualTo(400);
    assertThat(http("GET", "/actuator/holdfast?client=nobody").statusCode()).isEqualTo(400);
    String revoke = "/actuator/holdfast/orders/eu/42?reason=test&token=";
    assertThat(http("DELETE", revoke + "x").statusCode()).isEqualTo(400);
    assertThat(http("DELETE", revoke + 1).body()).contains("NOT_CURRENT");
    assertThat(http("DELETE", revoke + hold.token()).body()).contains("DONE");
    Loss loss = Await.value("the holder to be told", BOUND, hold::loss);
    assertThat(loss.cause()).isEqualTo(Loss.Cause.REVOKED);
    assertThat(loss.reason()).contains("test");
  }

  @Test
  @Order(5)
  void healthIsDownWithTheStoreAndUpAgain() throws Exception {
    assertThat(http("GET", "/actuator/health").body()).contains("\"holdfast\":{", "\"UP\"");
    postgres.process().kill9();
    Await.until(
        "DOWN", BOUND, () -> HealthReport.of(here.getBean(Holdfast.class)).status().equals("DOWN"));
    HttpResponse<String> down = http("GET", "/actuator/health/holdfast");
    assertThat(down.statusCode()).isEqualTo(503);
    assertThat(down.body()).contains("DOWN", "\"store\"");
    HttpResponse<String> endpoint = http("GET", "/actuator/holdfast");
    assertThat(endpoint.statusCode()).isEqualTo(200);
    assertThat(endpoint.body())
        .contains("\"namespace\":\"shop\"", "\"status\":\"DOWN\"", "\"detail\":\"")
        .doesNotContain("\"locks\"");
    assertThat(http("GET", "/actuator/health/liveness").statusCode()).isEqualTo(200);
    assertThat(http("GET", "/actuator/health/readiness").statusCode()).isEqualTo(200);
    postgres.process().restart();
    Await.until("UP", BOUND, () -> http("GET", "/actuator/health/holdfast").statusCode() == 200);
    assertThat(http("GET", "/actuator/holdfast").body()).contains("\"status\":\"UP\"", "\"locks\"");
  }
}
