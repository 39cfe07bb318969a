package io.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("docs/server-security.md")
class SecurityPageTest {

  private static String block(String language) throws IOException {
    Path project = Path.of("").toAbsolutePath();
    while (!Files.exists(project.resolve("docs/server-security.md"))) {
      project = project.getParent();
    }
    String page = Files.readString(project.resolve("docs/server-security.md"));
    Matcher matcher =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  @Test
  @DisplayName("shows an auth file that means what the page says")
  void authFile() throws IOException {
    AuthFile file = AuthFile.parse(block("auth"));

    Principal billing = file.principal(BearerToken.of("abc").orElseThrow()).orElseThrow();
    assertThat(billing.name()).isEqualTo("billing");
    assertThat(billing.may(Right.LOCK, "default", "orders/42")).isTrue();
    assertThat(billing.may(Right.COUNT, "default", "invoice-numbers")).isTrue();
    assertThat(billing.may(Right.OPERATE, "default", "orders/42")).isFalse();
    Principal ops = file.principal(BearerToken.of("def").orElseThrow()).orElseThrow();
    assertThat(ops.mayEverywhere(Right.OPERATE)).isTrue();
    Principal web = file.principal(new X500Principal("CN=web,O=Example"));
    assertThat(web.may(Right.LOCK, "default", "anything")).isTrue();
    assertThat(file.warnings()).isEmpty();
  }

  @Test
  @DisplayName("shows a command that makes a token and its line")
  void makesToken() throws IOException, InterruptedException {
    Process shell = new ProcessBuilder("sh", "-c", block("sh")).redirectErrorStream(true).start();
    String[] lines =
        new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\n", -1);
    assertThat(shell.waitFor()).isZero();

    assertThat(lines[1]).matches("holdfast_[A-Za-z0-9_-]{43}");
    assertThat(AuthFile.parse(lines[0]).principal(BearerToken.of(lines[1]).orElseThrow()))
        .map(Principal::name)
        .contains("billing");
  }
}
