package io.holdfast.remote.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.support.StoreUri;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceTokenTest {

  private static final String SECRET = "holdfast_s3cr3t-s3cr3t";
  private static final Set<String> KNOWN = Set.of("trustStore", ServiceToken.FILE_PARAMETER);

  @TempDir Path folder;

  private static ServiceToken find(String address, Map<String, String> environment) {
    ServiceToken.refuseSecrets(address, KNOWN);
    StoreUri uri = StoreUri.parse(address, "http", "https");
    return ServiceToken.find(uri, uri.parameters(KNOWN), environment::get);
  }

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("token"), content);
  }

  private static void assertRefused(String address, Map<String, String> environment, String rule) {
    assertThatThrownBy(() -> find(address, environment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(rule)
        .satisfies(
            e -> {
              StringWriter all = new StringWriter();
              e.printStackTrace(new PrintWriter(all));
              assertThat(all.toString()).doesNotContain("s3cr3t");
            });
  }

  @Test
  @DisplayName("without a token there is no header")
  void none() throws IOException {
    ServiceToken none = find("http://h1,h2:7420", Map.of());

    assertThat(none.authorization()).isEmpty();
    assertThat(none).hasToString("no token");
    assertThat(find("http://h1", Map.of(ServiceToken.VARIABLE, " \n")).authorization()).isEmpty();
  }

  @Test
  @DisplayName("the token of the environment is sent")
  void environment() throws IOException {
    ServiceToken token = find("https://h1,h2", Map.of(ServiceToken.VARIABLE, SECRET + "\n"));

    assertThat(token.authorization()).contains("Bearer " + SECRET);
    assertThat(token).hasToString("token in HOLDFAST_TOKEN");
  }

  @Test
  @DisplayName("a file comes first, and is read again for each connection")
  void file() throws IOException {
    Path file = file(SECRET + "\r\n");
    ServiceToken token =
        find("https://h1?holdfast.tokenFile=" + file, Map.of(ServiceToken.VARIABLE, "other"));

    assertThat(token.authorization()).contains("Bearer " + SECRET);
    assertThat(token).hasToString("token in " + file);

    file("next==");
    assertThat(token.authorization()).contains("Bearer next==");

    Files.delete(file);
    assertThatThrownBy(token::authorization)
        .isInstanceOf(IOException.class)
        .hasMessage("the token file " + file + " does not exist");
    file(SECRET + " " + SECRET);
    assertThatThrownBy(token::authorization)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("must be letters, digits")
        .message()
        .doesNotContain("s3cr3t");
  }

  @Test
  @DisplayName("a missing, empty or malformed file is an error at once")
  void wrongFile() throws IOException {
    Path file = folder.resolve("token");
    String address = "https://h1?holdfast.tokenFile=" + file;
    assertRefused(address, Map.of(), "the token file " + file + " does not exist");
    for (String content :
        new String[] {
          "",
          "\n",
          SECRET + "\n" + SECRET,
          SECRET + "\r\nX-Evil: 1",
          "é" + SECRET,
          SECRET.repeat(100)
        }) {
      file(content);
      assertRefused(address, Map.of(), "the token file " + file + " must be letters, digits");
    }
    assertRefused("https://h1?holdfast.tokenFile=", Map.of(), "must be the path of a file");
    assertRefused(
        "https://h1",
        Map.of(ServiceToken.VARIABLE, SECRET + "\nX: y"),
        "the variable HOLDFAST_TOKEN");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://user:s3cr3t@h1",
        "https://:s3cr3t@h1",
        "https://s3cr3t:@h1",
        "https://s3cr3t@h1",
        "https://h1/s3cr3t@x",
      })
  @DisplayName("a login in the address is refused, and not repeated")
  void login(String address) {
    assertRefused(address, Map.of(), "the address of a lock service has no user or password");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://h1?token=s3cr3t",
        "https://h1?s3cr3t",
        "https://h1?s3cr3t=1",
        "https://h1?access_token=s3cr3t&trustStore=x",
        "https://h1?trustStore=x&s3cr3t",
      })
  @DisplayName("a token in the query is refused, and not repeated")
  void query(String address) {
    assertRefused(address, Map.of(), "a token does not belong into the address");
  }

  @Test
  @DisplayName("a token is not sent to another machine without TLS")
  void plainText() throws IOException {
    Map<String, String> environment = Map.of(ServiceToken.VARIABLE, SECRET);
    assertRefused("http://10.1.2.3:7420", environment, "http://10.1.2.3:7420 is not");
    assertRefused("http://127.0.0.1,10.1.2.3", environment, "https://");
    assertRefused("http://10.1.2.3?holdfast.tokenFile=" + file(SECRET), Map.of(), "write https://");
    assertThatCode(() -> find("http://127.0.0.1,[::1]:7420", environment))
        .doesNotThrowAnyException();
    assertThatCode(() -> find("HTTPS://10.1.2.3", environment)).doesNotThrowAnyException();
  }
}
