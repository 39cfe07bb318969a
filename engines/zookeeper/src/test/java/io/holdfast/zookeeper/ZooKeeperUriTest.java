package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.zookeeper.ZooKeeperOptions.Acl;
import io.holdfast.zookeeper.ZooKeeperOptions.Login;
import io.holdfast.zookeeper.layout.Paths;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses. */
class ZooKeeperUriTest {

  @Test
  void servers_and_chroot_are_read() {
    ZooKeeperOptions options = ZooKeeperOptions.of("zookeeper://h1,h2:2182,[::1]:2183/apps/orders");
    assertThat(options.hosts()).isEqualTo("h1:2181,h2:2182,[::1]:2183");
    assertThat(options.chroot()).isEqualTo("/apps/orders");
    assertThat(options.acl()).isEqualTo(Acl.OPEN);
    assertThat(options.address()).isEqualTo("zookeeper://h1:2181,h2:2182,[::1]:2183/apps/orders");
    assertThat(ZooKeeperOptions.of("zookeeper://h/").chroot()).isEmpty();
  }

  @Test
  void a_login_makes_nodes_those_of_its_owner() {
    ZooKeeperOptions options = ZooKeeperOptions.of("zookeeper://me:p%40ss@h?tls=true");
    assertThat(options.login()).contains(new Login("me", "p@ss"));
    assertThat(options.acl()).isEqualTo(Acl.CREATOR);
    assertThat(options.tls()).isPresent();
    assertThat(ZooKeeperOptions.of("zookeeper://me:pass@h?acl=open").acl()).isEqualTo(Acl.OPEN);
  }

  @Test
  void u44_what_is_wrong_is_said_without_secrets() {
    for (String wrong :
        List.of(
            "zookeeper://me:hidden",
            "zookeeper://me:hid/den@h",
            "zookeeper://me:hid?den@h",
            "zookeeper://me:hidden%zz@h",
            "zookeeper://me@h",
            "zookeeper://h?trustStore=x&trustStorePassword=hidden",
            "zookeeper://h?keyStorePassword=hidden",
            "zookeeper://h?unknown=hidden",
            "zookeeper://h?acl=hidden2",
            "zookeeper://h?acl=creator",
            "zookeeper://h,,i",
            "zookeeper://h:0",
            "zookeeper://h//x",
            "redis://hidden")) {
      assertThatThrownBy(() -> ZooKeeperOptions.of(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageNotContaining("hidden@")
          .message()
          .doesNotMatch(".*hidden(?!2).*");
    }
    assertThat(ZooKeeperOptions.of("zookeeper://me:hidden@h").toString()).doesNotContain("hidden");
  }

  @Test
  void names_become_paths_and_come_back() {
    for (String name :
        List.of("plain", ".", "..", "a/b", "%", "a%2Fb", "\u0001", "\ud83d\udd12", "\ufffe", " ")) {
      String part = Paths.encode(name);
      assertThat(part).matches("[\\x21-\\x7e]+").doesNotContain("/").isNotIn(".", "..");
      assertThat(Paths.decode(part)).isEqualTo(name);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "zookeeper://h, | there must be a host before each port and comma: server 2 of the address",
        "zookeeper://h:0 | port must be a number 1..65535",
        "zookeeper://fe80::1 | an IPv6 address must be in brackets",
        "zookeeper://h{ | host must be a name or an address: server 1 of the address",
        "zookeeper://me@h | a login needs a password: write user:password@host",
        "zookeeper://:pass@h | a login needs a user: write user:password@host",
        "zookeeper://me:a/b@h | in user, password and parameters write @ as %40, / as %2F, ? as %3F",
        "zookeeper://me:%@h | password must be percent-encoded, a percent sign as %25",
        "zookeeper://h?nope=1 | unknown parameter: nope; available with zookeeper: [",
        "zookeeper://h?nope | a parameter must be NAME=VALUE; available with zookeeper: [",
        "zookeeper://h?tls=true&keyStore=a&keyStore=b | give each parameter once: keyStore",
        "zookeeper://h?trustStore=/x | trustStore needs TLS: write tls=true",
        "zookeeper://h?tls=on&keyStorePassword=s3cret | keyStorePassword needs a keyStore"
      })
  void the_error_names_the_value_and_the_rule(String uri, String message) {
    assertThatThrownBy(() -> ZooKeeperOptions.of(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessageContaining(message)
        .hasMessageNotContaining("s3cret");
  }
}
