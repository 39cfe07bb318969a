package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdUriTest {

  @Test
  void several_members_with_and_without_ports() {
    EtcdOptions options = EtcdOptions.of("etcd://a,b:1234,[::1]:99");
    assertThat(options.address()).isEqualTo("etcd://a:2379,b:1234,[::1]:99");
    assertThat(options.tls()).isEmpty();
  }

  @Test
  void a_login_and_tls() {
    EtcdOptions options =
        EtcdOptions.of("etcds://me:p%40ss%3A@a?trustStore=/t.p12&trustStorePassword=hush");
    assertThat(options.user()).isEqualTo("me");
    assertThat(options.password()).isEqualTo("p@ss:");
    assertThat(options.tls().orElseThrow().trustStore()).contains(Path.of("/t.p12"));
    assertThat(options.toString()).doesNotContain("p@ss").doesNotContain("hush");
    assertThat(options.address()).isEqualTo("etcds://a:2379");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "etcd:secret",
        "redis://secret",
        "etcd://me:secret",
        "etcd://me@host",
        "etcd://:secret@host",
        "etcd://me:sec/ret@host/path",
        "etcd://me:sec/ret@host",
        "etcd://host/path",
        "etcd://host,",
        "etcd://host?secret=1",
        "etcd://host?trustStore=/x",
        "etcd://me:%zzsecret@host",
        "etcd://me:se?cret@host",
        "etcd://me:1,se:cret",
        "etcd://host?prefix=no-slash",
        "etcd://host?prefix=",
        "etcd://host:99999",
      })
  void what_is_not_understood_is_refused_and_no_secret_quoted(String uri) {
    assertThatThrownBy(() -> EtcdOptions.of(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessageNotContaining("sec/ret")
        .hasMessageNotContaining("cret@")
        .hasMessageNotContaining("=se")
        .hasMessageNotContaining("me:");
  }

  @Test
  void a_prefix_needs_no_tls() {
    assertThat(EtcdOptions.of("etcd://a").prefix()).isEqualTo("holdfast/");
    assertThat(EtcdOptions.of("etcd://a?prefix=teams%2Fa/").prefix()).isEqualTo("teams/a/");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "etcd://h, | there must be a host before each port and comma: server 2 of the address",
        "etcd://h:0 | port must be a number 1..65535",
        "etcd://fe80::1 | an IPv6 address must be in brackets",
        "etcd://h{ | host must be a name or an address: server 1 of the address",
        "etcd://me@h | a login needs a password: write user:password@host",
        "etcd://:pass@h | a login needs a user: write user:password@host",
        "etcd://me:a/b@h | in user, password and parameters write @ as %40, / as %2F, ? as %3F",
        "etcd://me:%@h | password must be percent-encoded, a percent sign as %25",
        "etcd://h?nope=1 | unknown parameter: nope; available with etcd: [",
        "etcd://h?nope | a parameter must be NAME=VALUE; available with etcd: [",
        "etcds://h?keyStore=a&keyStore=b | give each parameter once: keyStore",
        "etcd://h?trustStore=/x | trustStore needs TLS: write etcds://",
        "etcds://h?keyStorePassword=s3cret | keyStorePassword needs a keyStore"
      })
  void the_error_names_the_value_and_the_rule(String uri, String message) {
    assertThatThrownBy(() -> EtcdOptions.of(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessageContaining(message)
        .hasMessageNotContaining("s3cret");
  }
}
