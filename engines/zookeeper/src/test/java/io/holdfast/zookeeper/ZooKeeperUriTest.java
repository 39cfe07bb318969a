package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.zookeeper.ZooKeeperOptions.Acl;
import io.holdfast.zookeeper.ZooKeeperOptions.Login;
import java.util.List;
import org.junit.jupiter.api.Test;

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
      String part = Layout.encode(name);
      assertThat(part).matches("[\\x21-\\x7e]+").doesNotContain("/").isNotIn(".", "..");
      assertThat(Layout.decode(part)).isEqualTo(name);
    }
  }
}
