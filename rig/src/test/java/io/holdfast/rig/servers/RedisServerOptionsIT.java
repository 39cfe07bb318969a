package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.process.Ports;
import java.io.IOException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RedisServerOptionsIT {
  private static final Duration BOUND = Duration.ofSeconds(5);

  @Test
  void a_password_keeps_strangers_out_and_the_rig_knows_it() {
    RedisServerOptions guarded = RedisServerOptions.PLAIN.withPassword("s3cret");
    try (RedisServer redis = RedisServer.start(guarded);
        RedisServer replica = RedisServer.start(guarded.replicaOf(redis))) {
      assertThat(redis.call("SET", "k", "v")).isEqualTo("OK");
      assertThatThrownBy(() -> RespExchange.call(redis.process().address(), BOUND, "GET", "k"))
          .hasMessage("the server replied: NOAUTH Authentication required.");
      replica.awaitInSync(redis);
      assertThat(replica.call("GET", "k")).isEqualTo("v");
    }
  }

  @Test
  void a_user_may_do_what_its_rules_say() throws IOException {
    RedisServerOptions withApp =
        RedisServerOptions.PLAIN
            .withUser("app", "pw", "~app:*", "+@all", "-@admin")
            .withPassword("root");
    try (RedisServer redis = RedisServer.start(withApp);
        RespConnection app = redis.connect()) {
      app.call("AUTH", "app", "pw");
      assertThat(app.call("SET", "app:k", "v")).isEqualTo("OK");
      assertThatThrownBy(() -> app.call("SET", "k", "v")).hasMessageContaining("NOPERM");
      assertThatThrownBy(() -> app.call("CONFIG", "GET", "*")).hasMessageContaining("NOPERM");
    }
  }

  @Test
  void a_full_server_refuses_writes() {
    try (RedisServer redis =
        RedisServer.start(RedisServerOptions.PLAIN.withMaxMemory("1kb", "noeviction"))) {
      assertThatThrownBy(() -> redis.call("SET", "k", "v"))
          .rootCause()
          .hasMessageContaining("OOM command not allowed");
      assertThat(redis.info("maxmemory_policy")).isEqualTo("noeviction");
    }
  }

  @Test
  void debug_commands_are_there_if_asked_for() {
    try (RedisServer redis = RedisServer.start(RedisServerOptions.PLAIN.withDebugCommands())) {
      assertThat(redis.call("DEBUG", "SLEEP", "0")).isEqualTo("OK");
    }
  }

  @Test
  void a_replica_follows_and_can_be_told_to_follow_another() {
    try (RedisServer one = RedisServer.start();
        RedisServer other = RedisServer.start();
        RedisServer replica = RedisServer.start(RedisServerOptions.PLAIN.replicaOf(one))) {
      one.call("SET", "k", "one");
      other.call("SET", "k", "other");
      replica.awaitInSync(one);
      assertThat(replica.role()).isEqualTo("slave");
      assertThat(replica.call("GET", "k")).isEqualTo("one");
      replica.restartAsReplicaOf(other);
      replica.awaitInSync(other);
      assertThat(replica.call("GET", "k")).isEqualTo("other");
    }
  }

  @Test
  void a_restart_on_the_same_port_is_empty_or_not_and_has_a_new_run_id() {
    int port = Ports.free();
    try (RedisServer redis = RedisServer.start(RedisServerOptions.PLAIN.durable().withPort(port))) {
      String first = redis.runId();
      redis.call("SET", "k", "v");
      redis.process().restart();
      assertThat(redis.call("GET", "k")).isEqualTo("v");
      assertThat(redis.runId()).isNotEqualTo(first).hasSize(40);
      redis.restartEmpty();
      assertThat(redis.call("GET", "k")).isEqualTo("(nil)");
      assertThat(redis.port()).isEqualTo(port);
    }
  }

  @Test
  void a_missing_field_of_info_is_named() {
    try (RedisServer redis = RedisServer.start()) {
      assertThatThrownBy(() -> redis.info("nonsense")).hasMessageContaining("no nonsense in INFO");
    }
  }

  @Test
  void tls_lets_in_who_trusts_the_authority() throws IOException {
    try (TestCertificates certificates = TestCertificates.create();
        TestCertificates strangers = TestCertificates.forServer("dns:elsewhere.example");
        RedisServer redis = RedisServer.start(RedisServerOptions.PLAIN.withTls(certificates))) {
      assertThat(redis.uri()).isEqualTo("rediss://127.0.0.1:" + redis.port());
      assertThat(redis.call("PING")).isEqualTo("PONG");
      RedisAccess wrong = RedisServerOptions.PLAIN.withTls(strangers).access();
      assertThatThrownBy(() -> RespExchange.call(redis.process().address(), BOUND, wrong, "PING"))
          .isInstanceOf(SSLException.class);
      assertThatThrownBy(() -> RespExchange.call(redis.process().address(), BOUND, "PING"))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void tls_can_ask_clients_for_their_certificate() {
    try (TestCertificates certificates = TestCertificates.create();
        RedisServer redis =
            RedisServer.start(
                RedisServerOptions.PLAIN.withTls(certificates).with("--tls-auth-clients", "yes"))) {
      assertThat(redis.call("PING")).isEqualTo("PONG");
    }
  }
}
