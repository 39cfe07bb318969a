package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.rig.servers.EtcdServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys under a prefix of one's own, so that rights can be given for it alone. */
@Timeout(120)
class PrefixIT {

  private static final Duration LONG = Duration.ofSeconds(60);

  @Test
  @DisplayName("a user with rights on one prefix locks there, and is refused elsewhere")
  void rights() throws Exception {
    try (EtcdServer server = EtcdServer.start()) {
      user(server, "a");
      user(server, "b");
      server.ctl("user", "add", "root:root");
      server.ctl("user", "grant-role", "root", "root");
      server.ctl("auth", "enable");
      String place = "127.0.0.1:" + server.port();
      String own = "etcd://a:secret-a@" + place + "?prefix=teams/a/&holdfast.order=fifo";
      try (Holdfast first = Holdfast.connect(own);
          Holdfast second = Holdfast.connect(own);
          EtcdFenceGuard guard = EtcdFenceGuard.connect(own)) {
        Hold hold = first.lock("x").acquire(LONG);
        CompletableFuture<Hold> waiting = second.lock("x").acquireAsync(LONG);
        guard.claim(hold);
        hold.close();
        waiting.get(60, TimeUnit.SECONDS).close();
        first.semaphore("s", 2).acquire(LONG).close();
      }
      String keys = server.ctl("--user", "root:root", "get", "--prefix", "--keys-only", "");
      assertThat(keys.lines().filter(key -> !key.isBlank()))
          .isNotEmpty()
          .allMatch(key -> key.startsWith("teams/a/"));
      try (Holdfast other = Holdfast.connect("etcd://b:secret-b@" + place + "?prefix=teams/a/")) {
        assertThatThrownBy(() -> other.lock("x").acquire(LONG))
            .isInstanceOf(LockRefusedException.class)
            .hasMessageContaining("on the prefix teams/a/")
            .hasMessageNotContaining("secret-b");
      }
    }
  }

  private static void user(EtcdServer server, String name) {
    server.ctl("user", "add", name + ":secret-" + name);
    server.ctl("role", "add", name);
    server.ctl(
        "role", "grant-permission", name, "--prefix=true", "readwrite", "teams/" + name + "/");
    server.ctl("user", "grant-role", name, name);
  }
}
