package io.holdfast.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MembersTest {

  private final Members members =
      Members.of(
          List.of(address(1), address(2), address(3)),
          null,
          "",
          "",
          "etcd://test",
          "holdfast/",
          Members.Timing.of(Duration.ofSeconds(6), Duration.ofSeconds(2)));

  @AfterEach
  void close() {
    members.close();
  }

  @Test
  @DisplayName("if no member replied lately, the one that replied last is asked, not the hung one")
  void repliedLast() {
    Members.Member hung = members.current();
    members.silent(hung);
    Members.Member slow = members.current();
    members.replied(slow);
    members.silent(slow);
    members.silent(members.current());

    assertThat(members.current().channel()).isSameAs(slow.channel());
  }

  @Test
  @DisplayName("a member that replies does not count as hung any more")
  void repliedAgain() {
    Members.Member first = members.current();
    members.silent(first);
    members.replied(first);
    members.silent(members.current());
    members.silent(members.current());

    assertThat(members.current().channel()).isSameAs(first.channel());
  }

  @Test
  @DisplayName("when another member was faster, calls go there")
  void overtaken() {
    Members.Member slow = members.current();
    Members.Member other = members.after(slow);
    members.overtaken(slow, other, true);

    assertThat(members.isCurrent(other)).isTrue();
    assertThat(members.after(other).channel()).isNotSameAs(slow.channel());
  }

  private static InetSocketAddress address(int port) {
    return InetSocketAddress.createUnresolved("localhost", port);
  }
}
