package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.spi.support.StoreUri.Login;
import io.holdfast.spi.support.StoreUri.Server;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreUriTest {

  private static final String[] SCHEMES = {
    "redis", "rediss", "redis-sentinel", "redis-cluster", "redlock", "etcd", "etcds", "zookeeper"
  };
  private static final Set<String> KNOWN =
      Set.of("prefix", "strict", "tls", "trustStore", "trustStorePassword");

  /** As an engine does it: every part is used. */
  private static void use(String uri) {
    StoreUri parsed = StoreUri.parse(uri, SCHEMES);
    parsed.servers(1234);
    parsed.login();
    parsed.parameters(KNOWN).flag("strict");
  }

  @Test
  void an_address_has_all_parts() {
    StoreUri uri =
        StoreUri.parse("ETCD://me:p%40ss@a,b:99,[::1],[::2]:7/x/y?prefix=q%2F&strict=on", "etcd");
    assertThat(uri.scheme()).isEqualTo("etcd");
    assertThat(uri.login()).contains(new Login("me", "p@ss"));
    assertThat(uri.servers(2379))
        .containsExactly(
            new Server("a", 2379),
            new Server("b", 99),
            new Server("::1", 2379),
            new Server("::2", 7));
    assertThat(uri.path()).isEqualTo("/x/y");
    assertThat(uri.parameters(KNOWN).text("prefix")).contains("q/");
    assertThat(uri.servers(2379).get(2)).hasToString("[::1]:2379");
  }

  @Test
  void a_host_is_enough() {
    StoreUri uri = StoreUri.parse("etcd://h", "etcd");
    assertThat(uri.servers(1)).containsExactly(new Server("h", 1));
    assertThat(uri.login()).isEmpty();
    assertThat(uri.path()).isEmpty();
    assertThat(uri.parameters(Set.of()).has("prefix")).isFalse();
    assertThat(StoreUri.parse("etcd://h?", "etcd").parameters(Set.of())).hasToString("[]");
  }

  @ParameterizedTest
  @CsvSource({
    "u:p@h, u, p",
    "u:s3cr%40t@h, u, s3cr@t",
    "u:%2F%3F%23%25@h, u, /?#%",
    "u:a@b@h, u, a@b",
    "u:a:b@h, u, a:b",
    "a%3Ab:s3+cret@h, a:b, s3+cret",
    "%C3%BC:p%C3%A4ss@h, ü, päss"
  })
  void users_and_passwords_are_decoded(String rest, String user, String password) {
    assertThat(StoreUri.parse("etcd://" + rest, "etcd").login())
        .contains(new Login(user, password));
  }

  @Test
  void a_password_alone_is_for_stores_that_take_it() {
    StoreUri uri = StoreUri.parse("redis://:pass@h", "redis");
    assertThat(uri.loginOrPassword()).contains(new Login("", "pass"));
    assertThatIllegalArgumentException()
        .isThrownBy(uri::login)
        .withMessage("a login needs a user: write user:password@host");
  }

  @ParameterizedTest
  @CsvSource({
    "etcd, address must begin with etcd://",
    "'etcd,etcds', address must begin with etcd:// or etcds://",
    "'a,b,c', 'address must begin with a://, b:// or c://'"
  })
  void another_scheme_is_refused(String schemes, String message) {
    for (String uri : List.of("http://me:s3cret@h", "me:s3cret@h", "", "etcd:h", "etcd:/h")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> StoreUri.parse(uri, schemes.split(",")))
          .withMessage(message);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | there must be a host before each port and comma: server 1 of the address",
        ":1 | there must be a host before each port and comma: server 1 of the address",
        "[] | there must be a host before each port and comma: server 1 of the address",
        "h, | there must be a host before each port and comma: server 2 of the address",
        "h,,i | there must be a host before each port and comma: server 2 of the address",
        "u:p@ | there must be a host before each port and comma: server 1 of the address",
        "h:x | port must be a number 1..65535, an IPv6 address must be in brackets, and a login"
            + " must end with @: server 1 of the address",
        "h,i:0 | port must be a number 1..65535, an IPv6 address must be in brackets, and a login"
            + " must end with @: server 2 of the address",
        "h:65536 | port must be a number 1..65535, an IPv6 address must be in brackets, and a login"
            + " must end with @: server 1 of the address",
        "::1 | there must be a host before each port and comma: server 1 of the address",
        "fe80::1 | port must be a number 1..65535, an IPv6 address must be in brackets, and a login"
            + " must end with @: server 1 of the address",
        "h h | host must be a name or an address: server 1 of the address",
        "[::1]x | host must be a name or an address: server 1 of the address",
        "me@h | a login needs a password: write user:password@host",
        "@h | a login needs a password: write user:password@host",
        "me:@h | a login needs a password: write user:password@host",
        ":pass@h | a login needs a user: write user:password@host",
        "me:a/b@h | in user, password and parameters write @ as %40, / as %2F, ? as %3F",
        "me:a?b@h | in user, password and parameters write @ as %40, / as %2F, ? as %3F",
        "me:100%@h | password must be percent-encoded, a percent sign as %25",
        "m%e:p@h | user must be percent-encoded, a percent sign as %25",
        "h?prefix=5% | prefix must be percent-encoded, a percent sign as %25: prefix=5%",
        "h?trustStorePassword=5%"
            + " | trustStorePassword must be percent-encoded, a percent sign as %25",
        "h?nope=1 | unknown parameter: nope; available with SCHEME: [prefix, strict, tls,"
            + " trustStore, trustStorePassword]",
        "h?strict | a parameter must be NAME=VALUE; available with SCHEME: [prefix, strict, tls,"
            + " trustStore, trustStorePassword]",
        "h?=1 | a parameter must be NAME=VALUE; available with SCHEME: [prefix, strict, tls,"
            + " trustStore, trustStorePassword]",
        "h?trustStorePassword=a&b=c | unknown parameter after a password; in a password an ampersand"
            + " must be percent-encoded, as %26; available with SCHEME: [prefix, strict, tls,"
            + " trustStore, trustStorePassword]",
        "h?prefix=a&prefix=a | give each parameter once: prefix",
        "h?strict=maybe | strict must be true or false, on or off: strict=maybe"
      })
  void one_mistake_has_one_sentence_in_every_scheme(String rest, String message) {
    for (String scheme : SCHEMES) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> use(scheme + "://" + rest))
          .withNoCause()
          .withMessage(message.replace("SCHEME", scheme));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3cret@h",
        "s3cret:@h",
        "me:s3cret",
        "me:1,s3cret:x",
        "me:1,s3cret{",
        "me:[s3cret]",
        "[s3cret",
        "me:s3cret/x@h",
        "me:x/s3cret@h",
        "me:s3cret?x@h",
        "me:1?s3cret@h",
        "me:s3cret%@h",
        "me:s3cret%zz@h",
        "me:%zzs3cret@h",
        "s3cret%:p@h",
        "me:s3cret@h:port",
        "me:s3cret@",
        "me:s3cret@h?nope=1",
        "h?trustStorePassword=s3cret%",
        "h?trustStorePassword=%s3cret",
        "h?trustStorePassword=a&s3cret",
        "h?trustStorePassword=a&s3cret=",
        "h?trustStorePassword=a&s3cret=b",
        "h?trustStorePassword=a&=s3cret",
        "h?trustStorePassword=s3cret&trustStorePassword=s3cret"
      })
  void no_message_and_no_cause_has_a_part_of_a_password(String rest) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> use("etcd://" + rest))
        .withNoCause()
        .satisfies(error -> assertThat(error.getMessage()).doesNotContain("s3c", "cret"));
  }

  @Test
  void to_string_shows_no_secret() {
    StoreUri uri = StoreUri.parse("etcd://me:s3cret@h:1/p?trustStorePassword=s3cret", "etcd");
    assertThat(uri).hasToString("etcd://h:1");
    assertThat(uri.login().orElseThrow()).hasToString("me:***");
    assertThat(uri.parameters(KNOWN)).hasToString("[trustStorePassword]");
  }
}
