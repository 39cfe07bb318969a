package io.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenPolicyTest {

  private static final ListenPolicy NOTHING = new ListenPolicy(false, false);

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "localhost"})
  @DisplayName("loopback needs nothing")
  void loopback(String host) {
    assertThat(NOTHING.require(host, 7420).isLoopbackAddress()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "false, false, a certificate (--tls-cert FILE --tls-key FILE; or --tls-keystore FILE) and an"
        + " auth file (--auth FILE)",
    "true, false, an auth file (--auth FILE)",
    "false, true, a certificate (--tls-cert FILE --tls-key FILE; or --tls-keystore FILE)",
  })
  @DisplayName("every other address needs TLS and an auth file, and the error says what is missing")
  void others(boolean tls, boolean auth, String missing) {
    ListenPolicy policy = new ListenPolicy(tls, auth);
    for (String host : List.of("0.0.0.0", "::", "10.1.2.3", "fe80::1")) {
      String at = (host.contains(":") ? "[" + host + "]" : host) + ":7420";
      assertThatThrownBy(() -> policy.require(host, 7420))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "cannot listen on "
                  + at
                  + ", which other machines can reach, without "
                  + missing.replace(';', ',')
                  + "; without them listen on 127.0.0.1");
    }
  }

  @Test
  @DisplayName("with both, any address will do")
  void both() {
    assertThat(new ListenPolicy(true, true).require("0.0.0.0", 7420).isAnyLocalAddress()).isTrue();
  }

  @Test
  @DisplayName("an unknown host and no host are errors")
  void unknown() {
    assertThatThrownBy(() -> NOTHING.require("no.such.host.invalid", 7420))
        .hasMessage("cannot listen on no.such.host.invalid:7420: unknown host");
    assertThatThrownBy(() -> NOTHING.require("", 7420))
        .hasMessage("an address to listen on needs a host: :7420");
  }

  private static int status(boolean loopback, String host, String... origin) {
    return new OriginPolicy(loopback)
        .check(List.of(host), List.of(origin))
        .map(Refusal::status)
        .orElse(200);
  }

  @Test
  @DisplayName("a program without an origin is served; a foreign web page is not")
  void origins() {
    assertThat(status(true, "127.0.0.1:7420")).isEqualTo(200);
    assertThat(status(true, "localhost:7420", "http://localhost:7420")).isEqualTo(200);
    assertThat(status(true, "[::1]:7420", "http://[::1]:7420")).isEqualTo(200);
    assertThat(status(true, "127.0.0.1:7420", "http://evil.example")).isEqualTo(403);
    assertThat(status(true, "127.0.0.1:7420", "http://127.0.0.1:8080")).isEqualTo(403);
    assertThat(status(true, "127.0.0.1:7420", "null")).isEqualTo(403);
    assertThat(status(true, "127.0.0.1:7420", "http://x y")).isEqualTo(403);
    assertThat(status(false, "locks.example", "https://LOCKS.example:443")).isEqualTo(200);
    assertThat(status(false, "locks.example", "https://locks.example.evil")).isEqualTo(403);
    assertThat(status(false, "locks.example:7420", "https://locks.example")).isEqualTo(403);
  }

  @Test
  @DisplayName("a foreign name for loopback is refused: a page can have one made")
  void rebinding() {
    assertThat(status(true, "evil.example:7420", "http://evil.example:7420")).isEqualTo(403);
    assertThat(status(true, "127.0.0.1.evil.example")).isEqualTo(403);
    assertThat(status(false, "h1.example:7420")).isEqualTo(200);
  }

  @Test
  @DisplayName("headers that are there twice, or not at all, are malformed")
  void malformed() {
    OriginPolicy policy = new OriginPolicy(/* loopbackOnly= */ true);

    assertThat(policy.check(List.of(), List.of())).map(Refusal::status).contains(400);
    assertThat(policy.check(List.of("localhost", "localhost"), List.of()))
        .map(Refusal::status)
        .contains(400);
    assertThat(policy.check(List.of("localhost"), List.of("http://localhost", "http://x")))
        .map(Refusal::status)
        .contains(400);
  }
}
