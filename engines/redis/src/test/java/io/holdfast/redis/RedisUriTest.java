package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.RedisOptions.Login;
import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.RedisOptions.Topology;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUriTest {

  private static final String SECRET = "s3cr";

  @Nested
  class WhatIsUnderstood {

    @Test
    void a_host_alone_is_enough() {
      RedisOptions options = RedisOptions.of("redis://localhost");
      assertThat(options.topology()).isEqualTo(Topology.SINGLE);
      assertThat(options.servers()).containsExactly(new Server("localhost", 6379));
      assertThat(options.login()).isEqualTo(Login.NONE);
      assertThat(options.database()).isZero();
      assertThat(options.tls()).isEmpty();
      assertThat(options.signals()).isTrue();
      assertThat(options.strict()).isFalse();
      assertThat(options.minReplicas()).isZero();
      assertThat(options.connectTimeout()).isEqualTo(Duration.ofSeconds(1));
      assertThat(options.replicaTimeout()).isEqualTo(Duration.ofMillis(100));
      assertThat(options.nodeTimeout()).isEqualTo(Duration.ofMillis(50));
      assertThat(options.quarantine()).isZero();
      assertThat(options.maxLease()).isZero();
    }

    @Test
    void everything_can_be_said() {
      RedisOptions options =
          RedisOptions.of(
              "redis://app:s3cret@redis.example:7000/5?minReplicas=1&replicaTimeout=250ms"
                  + "&strict=true&signals=off&connectTimeout=500ms&quarantine=1m&maxLease=1h");
      assertThat(options.servers()).containsExactly(new Server("redis.example", 7000));
      assertThat(options.login()).isEqualTo(new Login("app", "s3cret"));
      assertThat(options.database()).isEqualTo(5);
      assertThat(options.minReplicas()).isEqualTo(1);
      assertThat(options.replicaTimeout()).isEqualTo(Duration.ofMillis(250));
      assertThat(options.strict()).isTrue();
      assertThat(options.signals()).isFalse();
      assertThat(options.connectTimeout()).isEqualTo(Duration.ofMillis(500));
      assertThat(options.quarantine()).isEqualTo(Duration.ofMinutes(1));
      assertThat(options.maxLease()).isEqualTo(Duration.ofHours(1));
    }

    @ParameterizedTest
    @CsvSource({
      "redis://:s3cret@h, '', s3cret",
      "redis://app:s3cr%40t@h, app, s3cr@t",
      "redis://app:s3cr%2Ft%3F%23%25@h, app, s3cr/t?#%",
      "redis://app:s3cr@et@h, app, s3cr@et",
      "redis://app:s3:cr:et@h, app, s3:cr:et",
      "redis://a%3Ab:s3+cret@h, a:b, s3+cret",
      "redis://%C3%BC:p%C3%A4ss@h, ü, päss",
    })
    void users_and_passwords_are_decoded(String uri, String user, String password) {
      assertThat(RedisOptions.of(uri).login()).isEqualTo(new Login(user, password));
    }

    @ParameterizedTest
    @CsvSource({
      "redis://[::1], ::1, 6379",
      "redis://[::1]:7000/2, ::1, 7000",
      "redis://10.0.0.1:7000, 10.0.0.1, 7000",
      "REDIS://h/, h, 6379",
      "redis://h?strict=true, h, 6379",
      "redis://h_1-x.y, h_1-x.y, 6379",
    })
    void hosts_and_ports(String uri, String host, int port) {
      assertThat(RedisOptions.of(uri).servers()).containsExactly(new Server(host, port));
    }

    @Test
    void sentinels_have_their_port_and_the_masters_name() {
      RedisOptions options =
          RedisOptions.of(
              "redis-sentinel://app:pw@h1,h2:5000,[::1]/my%20master/3"
                  + "?sentinelUser=watch&sentinelPassword=s%263");
      assertThat(options.topology()).isEqualTo(Topology.SENTINEL);
      assertThat(options.servers())
          .containsExactly(
              new Server("h1", 26379), new Server("h2", 5000), new Server("::1", 26379));
      assertThat(options.masterName()).isEqualTo("my master");
      assertThat(options.database()).isEqualTo(3);
      assertThat(options.login()).isEqualTo(new Login("app", "pw"));
      assertThat(options.sentinelLogin()).isEqualTo(new Login("watch", "s&3"));
    }

    @Test
    void a_cluster_has_several_seeds() {
      RedisOptions options = RedisOptions.of("redis-cluster://h1:7000,h2?tls=on");
      assertThat(options.topology()).isEqualTo(Topology.CLUSTER);
      assertThat(options.servers()).containsExactly(new Server("h1", 7000), new Server("h2", 6379));
      assertThat(options.tls()).isPresent();
    }

    @Test
    void redlock_has_a_timeout_for_each_server() {
      RedisOptions options = RedisOptions.of("redlock://a,b,c,d,e?nodeTimeout=20ms");
      assertThat(options.topology()).isEqualTo(Topology.REDLOCK);
      assertThat(options.servers()).hasSize(5);
      assertThat(options.nodeTimeout()).isEqualTo(Duration.ofMillis(20));
    }

    @Test
    void rediss_is_encrypted() {
      assertThat(RedisOptions.of("rediss://h").tls()).isPresent();
      assertThat(RedisOptions.of("rediss://h?tls=true").tls()).isPresent();
    }
  }

  @Nested
  class WhatIsNot {

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "localhost | must begin with redis://",
          "http://h | must begin with redis://",
          "redis:h | must begin with redis://",
          "redis:// | there must be a host",
          "redis://:6379 | there must be a host",
          "redis://h, | there must be a host",
          "redis://h:x | port must be a number",
          "redis://h:0 | port must be a number 1..65535",
          "redis://h:65536 | port must be a number 1..65535",
          "redis://fe80::1 | IPv6 address must be in brackets",
          "redis://h h | host must be a name",
          "redis://h1,h2 | one server is one host",
          "redis://h/x | database must be a number",
          "redis://h/-1 | database must be >= 0: database=-1",
          "redis://h/1/2 | path must be /database: path=/1/2",
          "redis://h?strict=maybe | strict must be true or false, on or off: strict=maybe",
          "redis://h?connectTimeout=5 | connectTimeout must be a time such as 500ms",
          "redis://h?connectTimeout=1ms | connectTimeout must be 10 ms..60 s",
          "redis://h?connectTimeout=2m | connectTimeout must be 10 ms..60 s",
          "redis://h?replicaTimeout=0ms | replicaTimeout must be",
          "redis://h?minReplicas=x | minReplicas must be a whole number: minReplicas=x",
          "redis://h?minReplicas=-1 | minReplicas must be 0..100: minReplicas=-1",
          "redis://h?quarantine=25h | quarantine must be",
          "redis://h?maxLease=25h | maxLease must be",
          "redis://h?timeout=5s | unknown parameter: timeout; available with redis:"
              + " [connectTimeout,",
          "redis://h?strict=true&strict=true | give each parameter once: strict",
          "redis://h?nodeTimeout=50ms | unknown parameter: nodeTimeout",
          "redis://h?fast | a parameter must be NAME=VALUE; available with redis: [",
          "redis://h?sentinelUser=x | unknown parameter: sentinelUser",
          "redis://h?trustStore=/x | trustStore needs TLS: write rediss:// or tls=true",
          "rediss://h?tls=off | rediss:// means TLS: tls=off",
          "rediss://h?trustStorePassword=x | needs a trustStore",
          "rediss://h?trustStore=/no/such/file | trustStore=/no/such/file",
          "redis-sentinel://h1,h2 | sentinels need the master's name",
          "redis-sentinel://h1,h2/ | sentinels need the master's name",
          "redis-sentinel://h1,h1:26379/m | servers must differ: server=h1:26379",
          "redis-sentinel://h/m/1/2 | path must be /master or /master/database",
          "redis-sentinel://h/m?sentinelUser=x | a user needs a password: user=x",
          "redis-cluster://h/1 | a cluster has only database 0: database=1",
          "redlock://a,b | odd number of servers, at least 3",
          "redlock://a | odd number of servers, at least 3",
          "redlock://a,b,c,d | odd number of servers, at least 3",
          "redlock://a,b,A | servers must differ: server=A:6379",
          "redlock://a,b,c?minReplicas=1 | unknown parameter: minReplicas",
        })
    void the_error_names_the_value_and_the_rule(String uri, String message) {
      assertThatThrownBy(() -> RedisOptions.of(uri))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "redis://s3cret@h",
          "redis://s3cret:@h",
          "redis://user:s3cr",
          "redis://user:s3cr/et@h",
          "redis://user:s3cr?et@h",
          "redis://user:1/s3cr@h",
          "redis://user:1?s3cr@h",
          "redis://user:s3cret%@h",
          "redis://user:s3cret%zz@h",
          "redis://user:s3cret@h:port",
          "redis://user:1,s3cr:et",
          "redis://s3cret[",
          "redis://user:s3cret@h?nope=1",
          "redis://user:s3cret@",
          "redis://user:s3cret@h1,h2",
          "redis-cluster://user:s3cret@h/7",
          "redis-sentinel://user:s3cret@h",
          "redis-sentinel://h/m?sentinelPassword=s3cret%",
          "rediss://h?trustStore=/no&trustStorePassword=s3cret",
          "rediss://h?trustStorePassword=s3cret%",
          "http://user:s3cret@h",
          "user:s3cret@h",
        })
    void no_error_quotes_a_password(String uri) {
      assertThatThrownBy(() -> RedisOptions.of(uri))
          .isInstanceOf(IllegalArgumentException.class)
          .satisfies(
              error -> {
                for (Throwable e = error; e != null; e = e.getCause()) {
                  assertThat(String.valueOf(e.getMessage())).doesNotContain(SECRET);
                }
              });
    }
  }

  @Nested
  class WhatIsShown {

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "redis://user:s3cret@h | redis://h:6379",
          "rediss://:s3cret@h:1/2?strict=true | rediss://h:1/2",
          "redis://[::1]:7 | redis://[::1]:7",
          "redis-sentinel://u:s3cret@a,b/m/1?sentinelPassword=s3cret"
              + "| redis-sentinel://a:26379,b:26379/m/1",
          "redis-cluster://a:1,b:2 | redis-cluster://a:1,b:2",
          "redlock://a,b,c | redlock://a:6379,b:6379,c:6379",
        })
    void the_address_has_no_secrets(String uri, String address) {
      RedisOptions options = RedisOptions.of(uri);
      assertThat(options.address()).isEqualTo(address);
      assertThat(options.toString()).doesNotContain(SECRET);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "redis-sentinel://h/m?sentinelPassword=ab&s3cret",
          "redis-sentinel://h/m?sentinelPassword=ab&s3cret=",
          "redis-sentinel://h/m?sentinelPassword=ab&s3cret=cd",
          "rediss://h?trustStore=/x&trustStorePassword=ab&s3cret&strict=true",
        })
    void a_part_of_a_secret_is_not_taken_for_a_name(String uri) {
      assertThatThrownBy(() -> RedisOptions.of(uri))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("percent-encoded")
          .hasMessageNotContaining(SECRET);
    }

    @Test
    void the_address_can_be_read_again() {
      for (String uri :
          List.of("redis://[::1]:7/2", "redis-sentinel://a,b/m/1", "redlock://a,b,c")) {
        String address = RedisOptions.of(uri).address();
        assertThat(RedisOptions.of(address).address()).isEqualTo(address);
      }
    }
  }

  @Nested
  class Withers {

    @Test
    void change_one_thing_each() {
      RedisOptions options =
          RedisOptions.of("redis-sentinel://h/m")
              .withLogin("u", "s3cret")
              .withSentinelLogin("", "s3cret")
              .withDatabase(4)
              .withTls(RedisOptions.Tls.standard())
              .withConnectTimeout(Duration.ofMillis(300))
              .withSignals(false)
              .withReplicas(2, Duration.ofMillis(70))
              .withStrict(true)
              .withQuarantine(Duration.ofSeconds(9))
              .withMaxLease(Duration.ofSeconds(8))
              .withNodeTimeout(Duration.ofMillis(30));
      assertThat(options.login().user()).isEqualTo("u");
      assertThat(options.sentinelLogin().password()).isEqualTo("s3cret");
      assertThat(options.database()).isEqualTo(4);
      assertThat(options.tls()).isPresent();
      assertThat(options.connectTimeout()).isEqualTo(Duration.ofMillis(300));
      assertThat(options.signals()).isFalse();
      assertThat(options.minReplicas()).isEqualTo(2);
      assertThat(options.replicaTimeout()).isEqualTo(Duration.ofMillis(70));
      assertThat(options.strict()).isTrue();
      assertThat(options.quarantine()).isEqualTo(Duration.ofSeconds(9));
      assertThat(options.maxLease()).isEqualTo(Duration.ofSeconds(8));
      assertThat(options.nodeTimeout()).isEqualTo(Duration.ofMillis(30));
      assertThat(options.toString()).doesNotContain(SECRET);
    }

    @Test
    void say_no_to_what_does_not_fit() {
      RedisOptions redlock = RedisOptions.of("redlock://a,b,c");
      assertThatThrownBy(() -> redlock.withReplicas(1, Duration.ofMillis(100)))
          .hasMessageContaining("minReplicas is not for redlock");
      assertThatThrownBy(() -> redlock.withSentinelLogin("", "x"))
          .hasMessageContaining("sentinelLogin is for sentinels alone");
      assertThatThrownBy(() -> RedisOptions.of("redis-cluster://a").withDatabase(1))
          .hasMessageContaining("a cluster has only database 0");
    }

    @Test
    void replicas_that_may_take_longer_than_the_operation_are_refused() {
      RedisOptions options = RedisOptions.of("redis://h?minReplicas=1&replicaTimeout=5s");
      assertThatThrownBy(() -> RedisEngine.open(options, Engines.settings()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("replicaTimeout=5 s")
          .hasMessageContaining("operationTimeout=2 s");
    }
  }
}
