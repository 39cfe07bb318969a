package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.etcd.EtcdOptions;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.redis.RedisOptions;
import io.holdfast.rig.time.Figure;
import io.holdfast.zookeeper.ZooKeeperOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The parsers of all engines side by side: the same rules, the same words, and no secrets. */
@Timeout(120)
@DisplayName("Addresses of all engines:")
class AddressesTest {

  private static final String SECRET = "s3cr3t";
  private static final HoldfastOptions QUICK =
      HoldfastOptions.DEFAULTS.withOperationTimeout(Duration.ofMillis(50)).withLanes(1);

  /** Of stores where nobody listens; each engine keeps its login and parameters elsewhere. */
  private static final List<String> BARE =
      List.of(
          "redis://127.0.0.1:1",
          "redis-sentinel://127.0.0.1:1/main",
          "redis-cluster://127.0.0.1:1",
          "redlock://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3",
          "zookeeper://127.0.0.1:1",
          "etcd://127.0.0.1:1",
          "etcds://127.0.0.1:1",
          "jdbc:postgresql://127.0.0.1:1/db",
          "jdbc:mariadb://127.0.0.1:1/db",
          "jdbc:mysql://127.0.0.1:1/db",
          "jdbc:h2:tcp://127.0.0.1:1/db",
          "jdbc:sqlite:/nosuch/folder/db");

  /** Redlock's servers must reply in a quarter of the time. */
  private static HoldfastOptions quick(String uri) {
    return uri.startsWith("redlock:") ? QUICK.withOperationTimeout(Duration.ofMillis(200)) : QUICK;
  }

  private static Stream<String> everyEngine() {
    return Stream.concat(Stream.of("memory:"), BARE.stream());
  }

  /** What reads back from an address: a user, a password, or a parameter. */
  private static Stream<Arguments> read() {
    return Stream.of("a+b", "a%2Bb", "a%20b", "a%252Bb", "a%25b")
        .flatMap(
            text ->
                Stream.of(
                    Arguments.of("memory", text, text("memory:?holdfast.text=" + text)),
                    Arguments.of("redis user", text, redis("redis://" + text + ":p@h").user()),
                    Arguments.of("redis", text, redis("redis://:" + text + "@h").password()),
                    Arguments.of(
                        "sentinel",
                        text,
                        RedisOptions.of(
                                "redis-sentinel://h/m?sentinelUser=u&sentinelPassword=" + text)
                            .sentinelLogin()
                            .password()),
                    Arguments.of(
                        "zookeeper",
                        text,
                        ZooKeeperOptions.of("zookeeper://u:" + text + "@h")
                            .login()
                            .orElseThrow()
                            .password()),
                    Arguments.of(
                        "zookeeper trust store",
                        text,
                        ZooKeeperOptions.of("zookeeper://h?tls=true&trustStore=" + text)
                            .tls()
                            .flatMap(ZooKeeperOptions.Tls::trustStore)
                            .orElseThrow()
                            .file()
                            .toString()),
                    Arguments.of(
                        "etcd", text, EtcdOptions.of("etcd://u:" + text + "@h").password()),
                    Arguments.of(
                        "etcd trust store",
                        text,
                        EtcdOptions.of("etcds://h?trustStore=" + text)
                            .tls()
                            .flatMap(EtcdOptions.Tls::trustStore)
                            .orElseThrow()
                            .toString()),
                    Arguments.of("jdbc", text, refusedTable(text))));
  }

  private static String text(String uri) {
    try (Holdfast holdfast = Holdfast.connect(uri)) {
      return holdfast.options().text();
    }
  }

  private static RedisOptions.Login redis(String uri) {
    return RedisOptions.of(uri).login();
  }

  /** The table's name as it was read: such names are refused, and the refusal has it. */
  private static String refusedTable(String text) {
    String message =
        String.valueOf(
            catchThrowable(() -> JdbcOptions.of("jdbc:h2:mem:a?holdfast.table=" + text))
                .getMessage());
    return message.substring(message.lastIndexOf('=') + 1);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("read")
  @DisplayName("a plus is a plus, and percent-escapes are decoded once")
  void decoding(String where, String written, String read) {
    String meant =
        switch (written) {
          case "a+b", "a%2Bb" -> "a+b";
          case "a%20b" -> "a b";
          case "a%252Bb" -> "a%2Bb";
          default -> "a%b";
        };
    assertThat(read).as(where).isEqualTo(meant);
  }

  private static Optional<IllegalArgumentException> refusal(String uri) {
    try (Holdfast unexpected = Holdfast.connect(uri)) {
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e);
    }
  }

  @ParameterizedTest
  @MethodSource("everyEngine")
  @DisplayName("a parameter of ours that is given twice is refused and named")
  void twice(String uri) {
    assertRefused(uri + "?holdfast.lease=10s&holdfast.lease=10s", "once", "holdfast.lease");
  }

  @ParameterizedTest
  @CsvSource({
    "redis://h?connectTimeout=1s&connectTimeout=2s,connectTimeout",
    "redis-sentinel://h/m?signals=on&signals=on,signals",
    "redis-cluster://h?tls=true&tls=true,tls",
    "redlock://a?nodeTimeout=1s&nodeTimeout=2s,nodeTimeout",
    "zookeeper://h?acl=open&acl=creator,acl",
    "etcds://h?trustStore=a&trustStore=b,trustStore",
    "jdbc:h2:mem:a?holdfast.mode=table&holdfast.mode=row,holdfast.mode",
    "jdbc:postgresql://h/d?ssl=true&ssl=false,ssl",
    "jdbc:mariadb://h/d?user=a&user=b,user",
    "jdbc:mysql://h/d?user=a&user=b,user"
  })
  @DisplayName("a parameter of an engine or a driver that is given twice is refused and named")
  void twiceOfEngines(String uri, String name) {
    assertRefused(uri, "once", name);
  }

  @ParameterizedTest
  @MethodSource("everyEngine")
  @DisplayName("an unknown parameter of ours is refused and named, however it is written")
  void unknown(String uri) {
    assertRefused(uri + "?holdfast.leese=10s", "unknown", "holdfast.leese");
    assertRefused(uri + "?Holdfast.lease=10s", "unknown", "Holdfast.lease");
    assertRefused(uri + "?holdfast.Lease=10s", "unknown", "holdfast.Lease");
    assertRefused(uri + "?=10s", "parameter");
  }

  @ParameterizedTest
  @MethodSource("everyEngine")
  @DisplayName("a parameter of ours that no question mark announces is not ignored")
  void misplaced(String uri) {
    assertRefused(uri + "&holdfast.lease=10s", "?");
    assertRefused(uri + ";holdfast.lease=10s", "?");
  }

  @ParameterizedTest
  @MethodSource("everyEngine")
  @DisplayName("a percent sign that begins no escape is refused, where it is")
  void escapes(String uri) {
    assertRefused(uri + "?holdfast.text=100%", "holdfast.text", "%25");
    assertRefused(uri + "?holdfast.text=%zz", "holdfast.text", "%25");
  }

  @ParameterizedTest
  @CsvSource({
    "postgres://h/db,jdbc:postgresql:",
    "mysql://h/db,jdbc:mysql:",
    "sqlite:file.db,jdbc:sqlite:"
  })
  @DisplayName("for an address of a database as other tools write it, ours is suggested")
  void databases(String uri, String ours) {
    assertRefused(uri, "write " + ours);
  }

  private static void assertRefused(String uri, String... words) {
    assertThat(refusal(uri))
        .as(uri)
        .hasValueSatisfying(refused -> assertThat(refused).hasMessageContainingAll(words));
  }

  /**
   * Logins and parameters with a secret in them: well written, and in the ways people get wrong.
   */
  private static Stream<String> secretAddresses() {
    List<String> logins =
        List.of(
            "u:" + SECRET + "@",
            "u:%41" + SECRET + "%2F@",
            "u:%zz" + SECRET + "@",
            "u:" + SECRET + "%@",
            "u:%" + SECRET + "@",
            "u:" + SECRET + "@x:y@",
            "u:a/" + SECRET + "@",
            "u:a?" + SECRET + "@",
            "u:a?b=" + SECRET + "@",
            "u:a&holdfast.x=" + SECRET + "@",
            "u:a:" + SECRET + "@",
            "u:a," + SECRET + "@",
            "u:[" + SECRET + "@",
            "u:" + SECRET + "]@",
            "u: " + SECRET + "@",
            ":" + SECRET + "@",
            "u:" + SECRET + "@,",
            "u:" + SECRET + "@:1,");
    List<String> parameters = new ArrayList<>();
    for (String name :
        List.of("password", "trustStorePassword", "sentinelPassword", "keyStorePassword")) {
      for (String value :
          List.of(
              SECRET,
              "%zz" + SECRET,
              SECRET + "%",
              "a&" + SECRET,
              "a&" + SECRET + "=b",
              "a&b=" + SECRET,
              "a&b&" + SECRET + "&" + SECRET,
              "a=" + SECRET,
              "a?" + SECRET,
              "a@" + SECRET,
              SECRET + "&" + name + "=" + SECRET,
              SECRET + "&holdfast.leese=1s",
              SECRET + "&holdfast.lease=1s&holdfast.lease=1s")) {
        parameters.add(name + "=" + value);
        parameters.add("tls=true&trustStore=/nosuch&" + name + "=" + value);
      }
    }
    List<String> all = new ArrayList<>();
    for (String uri : BARE) {
      int slashes = uri.indexOf("//");
      if (slashes >= 0) {
        logins.forEach(
            login -> all.add(uri.substring(0, slashes + 2) + login + uri.substring(slashes + 2)));
        all.add(uri.substring(0, slashes + 2) + "u:" + SECRET);
      }
      parameters.forEach(parameter -> all.add(uri + "?" + parameter));
      if (uri.startsWith("jdbc:h2:")) {
        parameters.forEach(parameter -> all.add(uri + ";" + parameter.replace('&', ';')));
      }
    }
    for (String login : logins) {
      all.add("memory:" + login);
      all.add("nosuch://" + login + "host");
    }
    parameters.forEach(parameter -> all.add("memory:?" + parameter));
    parameters.forEach(parameter -> all.add("nosuch://host?" + parameter));
    return all.stream();
  }

  @Test
  @DisplayName("no message, cause or description shows a secret")
  void secrets() {
    List<String> leaks = new ArrayList<>();
    int refused = 0;
    int opened = 0;
    for (String uri : secretAddresses().toList()) {
      String shown;
      try (Holdfast holdfast = Holdfast.connect(uri, quick(uri))) {
        opened++;
        shown = holdfast.traits() + " " + holdfast.health();
      } catch (Exception e) {
        refused++;
        shown = all(e);
      }
      if (shown.toLowerCase(Locale.ROOT).contains(SECRET)) {
        leaks.add(uri + " -> " + shown);
      }
    }
    Figure.print("%d addresses with a secret opened, %d refused", opened, refused);
    assertThat(leaks).isEmpty();
    assertThat(opened).isPositive();
    assertThat(refused).isPositive();
  }

  @ParameterizedTest
  @MethodSource("unreachable")
  @DisplayName("nor does the error for an unreachable store")
  void troubles(String uri) {
    try (Holdfast holdfast = Holdfast.connect(uri, quick(uri))) {
      assertThat(ask(holdfast)).containsIgnoringCase("127.0.0.1").doesNotContain(SECRET);
    }
  }

  private static Stream<String> unreachable() {
    return BARE.stream()
        .flatMap(
            uri ->
                uri.startsWith("jdbc:")
                    ? Stream.of(uri + "?user=u&password=" + SECRET, uri + ";PASSWORD=" + SECRET)
                    : Stream.of(uri.replaceFirst("//", "//u:" + SECRET + "@")))
        .filter(uri -> uri.startsWith("jdbc:h2:") == uri.contains(";"))
        .filter(uri -> !uri.startsWith("jdbc:sqlite:"));
  }

  private static String ask(Holdfast holdfast) {
    try (Hold unexpected = holdfast.lock("a").acquire(Duration.ofMillis(250))) {
      return unexpected.name();
    } catch (Exception e) {
      return all(e) + holdfast.health();
    }
  }

  /** What a log would have of it. */
  private static String all(Throwable thrown) {
    StringBuilder text = new StringBuilder();
    for (@Nullable Throwable each = thrown; each != null; each = each.getCause()) {
      text.append(each).append(' ');
      for (Throwable suppressed : each.getSuppressed()) {
        text.append(all(suppressed));
      }
    }
    return text.toString();
  }
}
