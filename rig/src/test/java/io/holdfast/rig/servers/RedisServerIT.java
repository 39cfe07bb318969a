package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.checks.Inventory;
import io.holdfast.rig.checks.LeakCheck;
import io.holdfast.rig.process.LaunchSpec;
import io.holdfast.rig.process.Ports;
import io.holdfast.rig.process.ServerSpec;
import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.proxy.ProxyFault;
import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RedisServerIT {
  private static final Duration BOUND = Duration.ofSeconds(5);

  private LeakCheck before;

  @BeforeEach
  void takeStock() {
    before = LeakCheck.baseline(Inventory.threads());
  }

  @AfterEach
  void no_thread_is_left() {
    before.awaitReturn(BOUND).requireClean(1);
  }

  @Test
  void starts_answers_and_leaves_nothing_behind() {
    RedisServer redis = RedisServer.start();
    ProcessHandle process = ProcessHandle.of(redis.process().pid()).orElseThrow();
    Path folder = redis.process().folder();
    assertThat(redis.call("PING")).isEqualTo("PONG");
    assertThat(redis.uri()).isEqualTo("redis://127.0.0.1:" + redis.port());
    assertThat(folder).isDirectory();
    redis.close();
    redis.close();
    assertThat(process.isAlive()).isFalse();
    assertThat(Ports.isFree(redis.port())).isTrue();
    assertThat(folder).doesNotExist();
  }

  @Test
  void answers_every_kind_of_reply() {
    try (RedisServer redis = RedisServer.start()) {
      assertThat(redis.call("SET", "k", "värde\r\n")).isEqualTo("OK");
      assertThat(redis.call("GET", "k")).isEqualTo("värde\r\n");
      assertThat(redis.call("GET", "none")).isEqualTo("(nil)");
      assertThat(redis.call("DBSIZE")).isEqualTo("1");
      assertThat(redis.call("MGET", "k", "none")).isEqualTo("värde\r\n\n(nil)");
      assertThatThrownBy(() -> redis.call("NONSENSE"))
          .hasRootCauseMessage(
              "the server replied: ERR unknown command 'NONSENSE', with args beginning with: ");
    }
  }

  @Test
  void kill_9_loses_everything_and_a_restart_has_the_same_port_and_folder() {
    try (RedisServer redis = RedisServer.start()) {
      int port = redis.port();
      Path folder = redis.process().folder();
      redis.call("SET", "k", "v");
      redis.process().kill9();
      assertThat(redis.process().isRunning()).isFalse();
      assertThatThrownBy(() -> redis.call("PING")).hasRootCauseMessage("Connection refused");
      redis.process().restart();
      assertThat(redis.call("GET", "k")).isEqualTo("(nil)");
      assertThat(redis.port()).isEqualTo(port);
      assertThat(redis.process().folder()).isEqualTo(folder);
    }
  }

  @Test
  void a_durable_server_keeps_what_it_acknowledged() {
    try (RedisServer redis = RedisServer.startDurable()) {
      redis.call("SET", "k", "v");
      redis.process().kill9();
      redis.process().restart();
      assertThat(redis.call("GET", "k")).isEqualTo("v");
    }
  }

  @Test
  void a_paused_server_is_silent_until_it_goes_on() {
    try (RedisServer redis = RedisServer.start()) {
      redis.process().pause();
      assertThat(redis.process().isRunning()).isTrue();
      Duration moment = Duration.ofMillis(100);
      assertThatThrownBy(() -> RespExchange.call(redis.process().address(), moment, "PING"))
          .isInstanceOf(SocketTimeoutException.class);
      redis.process().resume();
      assertThat(redis.call("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void a_paused_server_can_be_killed_restarted_and_closed() {
    try (RedisServer redis = RedisServer.start()) {
      redis.process().pause();
      redis.process().kill9();
      redis.process().restart();
      redis.process().pause();
      redis.process().restart();
      assertThat(redis.call("PING")).isEqualTo("PONG");
      redis.process().pause();
    }
  }

  @Test
  void two_servers_do_not_know_each_other() {
    try (RedisServer one = RedisServer.start();
        RedisServer other = RedisServer.start()) {
      one.call("SET", "k", "v");
      assertThat(other.call("GET", "k")).isEqualTo("(nil)");
    }
  }

  @Test
  void a_bad_option_is_quoted_from_the_log() {
    assertThatThrownBy(() -> RedisServer.start("--no-such-option", "1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no-such-option");
  }

  @Test
  void takes_another_port_when_someone_was_faster() throws IOException {
    List<ServerSocket> strangers = new ArrayList<>();
    ServerSpec unlucky =
        RedisServer.spec()
            .withPreparation(
                place -> {
                  if (strangers.isEmpty()) {
                    ServerSocket stranger = new ServerSocket();
                    strangers.add(stranger);
                    stranger.bind(place.address());
                  }
                });
    try (RedisServer redis = RedisServer.start(unlucky)) {
      assertThat(redis.call("PING")).isEqualTo("PONG");
      assertThat(redis.port()).isNotEqualTo(strangers.get(0).getLocalPort());
    } finally {
      strangers.get(0).close();
    }
  }

  @Test
  void never_takes_a_stranger_on_its_port_for_the_server() {
    try (RedisServer stranger = RedisServer.start()) {
      ServerSpec same = RedisServer.spec().withPort(stranger.port());
      assertThatThrownBy(() -> RedisServer.start(same))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Address already in use");
    }
  }

  @Test
  void runs_as_another_user_when_the_tests_run_as_root() throws IOException {
    try (RedisServer redis = RedisServer.start(RedisServer.spec().withUser("nobody"))) {
      String expected = LaunchSpec.asRoot() ? "nobody" : System.getProperty("user.name");
      Path process = Path.of("/proc/" + redis.process().pid());
      assertThat(Files.getOwner(process).getName()).isEqualTo(expected);
      assertThat(Files.getOwner(redis.process().folder()).getName()).isEqualTo(expected);
      assertThat(redis.call("BGSAVE")).isEqualTo("Background saving started");
      Path dump = redis.process().folder().resolve("dump.rdb");
      Await.until("the saved file", BOUND, () -> Files.exists(dump));
    }
  }

  @Test
  void sees_its_keys_and_connections_as_inventories() throws IOException {
    try (RedisServer redis = RedisServer.start()) {
      Inventory keys = new Inventory("keys", () -> redis.call("KEYS", "*").lines().toList());
      Inventory descriptors = Inventory.fileDescriptors(redis.process().pid());
      LeakCheck baseline = LeakCheck.baseline(keys, descriptors);
      redis.call("SET", "left", "behind");
      Duration moment = Duration.ofMillis(20);
      assertThat(baseline.awaitReturn(moment).toString()).contains("left");
      redis.call("DEL", "left");
      baseline.awaitReturn(BOUND).requireClean(2);
    }
  }

  @Test
  void is_reached_through_a_proxy_with_faults() {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.to(redis.process())) {
      proxy.truncate(Direction.REPLIES, 4);
      assertThatThrownBy(() -> RespExchange.call(proxy.address(), BOUND, "ECHO", "hello"))
          .hasMessage("the reply was cut short");
      proxy.heal();
      proxy.apply(Direction.REPLIES, new ProxyFault.Reset());
      assertThatThrownBy(() -> RespExchange.call(proxy.address(), BOUND, "SET", "k", "done"))
          .hasMessage("Connection reset");
      assertThat(redis.call("GET", "k")).isEqualTo("done");
      redis.process().kill9();
      proxy.heal();
      assertThatThrownBy(() -> RespExchange.call(proxy.address(), BOUND, "PING"))
          .isInstanceOf(IOException.class);
      redis.process().restart();
      Await.until(
          "the restarted server behind the proxy",
          BOUND,
          () -> RespExchange.call(proxy.address(), BOUND, "PING").equals("PONG"));
    }
  }
}
