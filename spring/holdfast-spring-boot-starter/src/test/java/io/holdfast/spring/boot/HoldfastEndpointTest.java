package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** What the endpoint replies to bad requests, and when a store is down. */
@Timeout(120)
class HoldfastEndpointTest {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class App {}

  private static ConfigurableApplicationContext app;

  /** Nothing listens at the address of the client "dead". */
  @BeforeAll
  static void start() {
    app =
        new SpringApplicationBuilder(App.class)
            .run(
                "--spring.application.name=shop",
                "--spring.datasource.url=jdbc:h2:mem:endpoint",
                "--holdfast.url=memory:",
                "--holdfast.clients.dead.url=redis://u:s3cr3t@127.0.0.1:1",
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--management.endpoints.web.exposure.include=holdfast",
                "--management.endpoint.holdfast.access=unrestricted");
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  private static HttpResponse<String> http(String method, String path) throws Exception {
    String port = app.getEnvironment().getRequiredProperty("local.server.port");
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + port + "/actuator/holdfast" + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET    | ?limit=0                 | limit must be 1..1000: limit=0",
        "GET    | ?limit=1001              | limit must be 1..1000: limit=1001",
        "GET    | ?limit=many              | limit must be 1..1000: limit=many",
        "GET    | ?client=nobody           | there is no client nobody; there are [dead, holdfast]",
        "GET    | ?prefix=a%00             | prefix: name must not contain NUL",
        "GET    | ?after=a%00              | after: name must not contain NUL",
        "GET    | /x?client=nobody         | there is no client nobody; there are [dead, holdfast]",
        "GET    | /LONG                    | name must be 1..512 bytes of UTF-8: bytes=600",
        "DELETE | /x?reason=r              | token is missing",
        "DELETE | /x?reason=r&token=many   | token is not a number: many",
        "DELETE | /x?token=1               | reason must not be blank",
        "DELETE | /x?token=1&reason=%20    | reason must not be blank"
      })
  void aBadRequestIsToldTheReason(String method, String path, String reason) throws Exception {
    HttpResponse<String> response = http(method, path.replace("LONG", "x".repeat(600)));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    assertThat(response.body()).contains("\"error\":\"").contains(reason);
  }

  @Test
  void aStoreThatIsDownHasAHeaderWithTheReason() throws Exception {
    HttpResponse<String> response = http("GET", "?client=dead");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body())
        .contains("\"clients\":[\"dead\",\"holdfast\"]", "\"store\":\"redis://127.0.0.1:1\"")
        .contains("\"namespace\":\"shop\"", "\"status\":\"DOWN\"", "refused")
        .doesNotContain("\"locks\"", "s3cr3t");
    for (String method : new String[] {"GET", "DELETE"}) {
      HttpResponse<String> one = http(method, "/x?client=dead&token=1&reason=r");
      assertThat(one.statusCode()).isEqualTo(503);
      assertThat(one.body())
          .contains("\"store\":\"redis://127.0.0.1:1\"", "\"status\":\"DOWN\"", "refused")
          .doesNotContain("s3cr3t");
    }
  }

  @Test
  void theOwnerIsPlainText() throws Exception {
    Holdfast holdfast = app.getBean(Holdfast.class);
    try (Hold hold = holdfast.lock("orders/1").acquire(Duration.ofSeconds(10))) {
      assertThat(http("GET", "/orders/1").body())
          .contains("\"owner\":\"shop pid " + ProcessHandle.current().pid() + " on ")
          .contains("\"token\":\"" + hold.token() + "\"")
          .doesNotContain("\\\"");
      assertThat(http("GET", "").body()).contains("\"locks\":[{\"name\":\"orders/1\"");
    }
    assertThat(http("GET", "/orders/1").statusCode()).isEqualTo(404);
  }
}
