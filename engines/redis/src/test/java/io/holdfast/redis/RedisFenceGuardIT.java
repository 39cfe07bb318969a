package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StaleTokenException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.servers.RedisServer;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;

/** The guard of data in Redis, rule by rule. */
class RedisFenceGuardIT {

  /** How a guard reaches the server. */
  enum Way {
    ADDRESS,
    OWN_CLIENT
  }

  private static final long HIGH = (1L << 62) + 1024;
  private static final GuardedWrite SET =
      new GuardedWrite(
          "return redis.call('SET', KEYS[1], ARGV[1])", List.of("data"), List.of("new"));

  private static RedisServer server;
  private static UnifiedJedis client;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
    client = RedisClient.builder().hostAndPort("127.0.0.1", server.port()).build();
  }

  @AfterAll
  static void stop() throws Exception {
    client.close();
    server.close();
  }

  private static RedisFenceGuard guard(Way way) {
    server.call("FLUSHALL");
    return way == Way.ADDRESS
        ? RedisFenceGuard.connect(server.uri())
        : RedisFenceGuard.over(client);
  }

  @ParameterizedTest
  @EnumSource
  void u06_a_claim_keeps_everyone_before_it_out(Way way) {
    try (RedisFenceGuard guard = guard(way)) {
      guard.claim("r", HIGH, "a");
      guard.claim("r", HIGH, "a");
      guard.claim("r", HIGH + 1, "b");
      assertThatThrownBy(() -> guard.claim("r", HIGH, "a"))
          .isInstanceOfSatisfying(
              StaleTokenException.class, stale -> assertThat(stale.current()).isEqualTo(HIGH + 1));
      // Two holders with one token: the second is refused, whoever minted it twice.
      assertThatThrownBy(() -> guard.claim("r", HIGH + 1, "c"))
          .isInstanceOf(StaleTokenException.class);
      assertThatThrownBy(() -> guard.claim("r", 9, "d")).isInstanceOf(StaleTokenException.class);
      guard.claim("other", 9, "d");
      guard.inNamespace("elsewhere").claim("r", 9, "d");
      guard.claim("r", Long.MAX_VALUE, "last");
    }
  }

  @ParameterizedTest
  @EnumSource
  void holds_of_one_name_in_two_namespaces_do_not_meet(Way way) throws Exception {
    try (RedisFenceGuard guard = guard(way);
        Holdfast first = Holdfast.connect(server.uri() + "?holdfast.namespace=first");
        Holdfast second = Holdfast.connect(server.uri() + "?holdfast.namespace=second");
        Hold older = first.lock("r").acquire();
        Hold newer = second.lock("r").acquire()) {
      assertThat(newer.token()).isNotEqualTo(older.token());
      guard.claim(newer.token() > older.token() ? newer : older);
      guard.claim(newer.token() > older.token() ? older : newer);
      assertThat(guard.run(older, SET)).isEqualTo("OK");
      assertThat(guard.run(newer, SET)).isEqualTo("OK");
      assertThat(guard.runShared(older, SET)).isEqualTo("OK");
      guard.admit(newer);
      assertThat(server.call("KEYS", "{hf:*}:f:*").lines().map(key -> key.replaceAll(".*:f:", "")))
          .containsExactlyInAnyOrder("first:r", "second:r");
    }
  }

  @Test
  void the_address_of_an_engine_is_accepted_with_its_namespace() throws Exception {
    server.call("FLUSHALL");
    String address = server.uri() + "?holdfast.lease=10s&signals=off&holdfast.namespace=shop";
    try (Holdfast holdfast = Holdfast.connect(address);
        RedisFenceGuard guard = RedisFenceGuard.connect(address);
        Hold hold = holdfast.lock("r").acquire()) {
      guard.claim("r", hold.token(), hold.id());
      guard.claim(hold);
    }
    assertThat(server.call("KEYS", "{hf:*}:f:*")).endsWith(":f:shop:r");
    assertThatThrownBy(() -> RedisFenceGuard.connect(server.uri() + "?holdfast.namespace=a:b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RedisFenceGuard.connect(server.uri() + "?lease=10s"))
        .hasMessageContaining("unknown parameter: lease");
  }

  @ParameterizedTest
  @EnumSource
  void u06_sharers_are_admitted_until_somebody_claims(Way way) {
    try (RedisFenceGuard guard = guard(way)) {
      guard.admit("r", HIGH + 2, "b");
      guard.admit("r", HIGH + 1, "a");
      guard.claim("r", HIGH + 2, "w");
      assertThatThrownBy(() -> guard.admit("r", HIGH + 1, "a"))
          .isInstanceOf(StaleTokenException.class);
      assertThatThrownBy(() -> guard.admit("r", HIGH + 2, "b"))
          .isInstanceOf(StaleTokenException.class);
      guard.admit("r", HIGH + 2, "w");
      guard.admit("r", HIGH + 3, "c");
    }
  }

  @ParameterizedTest
  @EnumSource
  void u06_a_write_happens_only_if_its_claim_stands(Way way) {
    try (RedisFenceGuard guard = guard(way)) {
      assertThat(guard.run("r", HIGH, "a", SET)).isEqualTo("OK");
      guard.claim("r", HIGH + 1, "b");
      server.call("SET", "data", "of b");
      assertThatThrownBy(() -> guard.run("r", HIGH, "a", SET))
          .isInstanceOf(StaleTokenException.class);
      assertThatThrownBy(() -> guard.runShared("r", HIGH, "a", SET))
          .isInstanceOf(StaleTokenException.class);
      assertThat(server.call("GET", "data")).isEqualTo("of b");
      assertThat(guard.runShared("r", HIGH + 2, "c", SET)).isEqualTo("OK");
      guard.claim("r", HIGH + 1, "b");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_script_sees_its_own_keys_and_answers_what_it_likes(Way way) {
    try (RedisFenceGuard guard = guard(way)) {
      List<String> keys = List.of("k1", "k2");
      List<String> args = List.of("a1", "a2", "a3");
      GuardedWrite all =
          new GuardedWrite(
              "local n = #KEYS\nreturn {n, #ARGV, KEYS[2], ARGV[3], false, {1}}", keys, args);
      assertThat((List<?>) guard.run("r", 1, "a", all))
          .asInstanceOf(InstanceOfAssertFactories.LIST)
          .containsExactly(2L, 3L, "k2", "a3", null, List.of(1L));
      GuardedWrite nothing = new GuardedWrite("local x = 1", List.of(), List.of());
      assertThat(guard.run("r", 1, "a", nothing)).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_script_that_fails_says_so_and_the_claim_stands(Way way) {
    try (RedisFenceGuard guard = guard(way)) {
      server.call("RPUSH", "list", "x");
      for (String lua :
          List.of(
              "return redis.call('GET', KEYS[1])",
              "return redis.error_reply('WRONGTYPE by hand')",
              "error('WRONGTYPE in words')")) {
        GuardedWrite bad = new GuardedWrite(lua, List.of("list"), List.of());
        assertThatThrownBy(() -> guard.run("r", 5, "a", bad))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("WRONGTYPE");
      }
      assertThatThrownBy(() -> guard.claim("r", 4, "b")).isInstanceOf(StaleTokenException.class);
      GuardedWrite broken = new GuardedWrite("this is not Lua", List.of(), List.of());
      assertThatThrownBy(() -> guard.run("r", 5, "a", broken))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("compiling");
    }
  }

  @ParameterizedTest
  @EnumSource
  void u61_what_is_not_a_fence_record_is_refused_and_left_untouched(Way way) {
    try (RedisFenceGuard guard = guard(way)) {
      guard.claim("r", 5, "a");
      String key = server.call("KEYS", "*");
      assertThat(key).matches("\\{hf:[0-9a-f]{3}}:f:default:r");
      assertThat(server.call("PTTL", key)).isEqualTo("-1");
      server.call("SET", key, "something else");
      assertThatThrownBy(() -> guard.run("r", 6, "b", SET))
          .isInstanceOf(LockRefusedException.class);
      assertThat(server.call("GET", key)).isEqualTo("something else");
      server.call("DEL", key);
      server.call("RPUSH", key, "x");
      assertThatThrownBy(() -> guard.claim("r", 6, "b")).isInstanceOf(LockRefusedException.class);
      assertThat(server.call("TYPE", key)).isEqualTo("list");
      assertThat(server.call("EXISTS", "data")).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_cannot_be_asked_lets_nobody_write(Way way) {
    try (RedisServer brief = RedisServer.start();
        UnifiedJedis own = RedisClient.builder().hostAndPort("127.0.0.1", brief.port()).build();
        RedisFenceGuard guard =
            way == Way.ADDRESS ? RedisFenceGuard.connect(brief.uri()) : RedisFenceGuard.over(own)) {
      guard.claim("r", 5, "a");
      brief.process().kill9();
      assertThatThrownBy(() -> guard.claim("r", 5, "a"))
          .isInstanceOf(StoreUnavailableException.class);
      assertThatThrownBy(() -> guard.run("r", 5, "a", SET))
          .isInstanceOfAny(StoreUnavailableException.class, OutcomeUnknownException.class);
      brief.process().restart();
      guard.claim("r", 5, "a");
    }
  }

  @Test
  void records_beside_the_data_share_its_slot() {
    try (RedisFenceGuard guard = guard(Way.ADDRESS)) {
      guard.beside("order:42").claim("r", 5, "a");
      assertThat(server.call("KEYS", "*")).isEqualTo("{order:42}:hf:f:default:r");
      assertThatThrownBy(() -> guard.beside("x{order:42}y").claim("r", 4, "b"))
          .isInstanceOf(StaleTokenException.class);
      assertThatThrownBy(() -> guard.beside("{}x")).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> guard.beside("a}b")).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> guard.beside("")).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> guard.claim("r", 0, "b"))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new GuardedWrite(" ", List.of(), List.of()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> RedisFenceGuard.connect("redlock://a,b,c"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void a_closed_guard_lets_nobody_in_and_a_lent_client_stays_open() {
    RedisFenceGuard closed = guard(Way.ADDRESS);
    closed.claim("r", 5, "a");
    closed.close();
    assertThatThrownBy(() -> closed.claim("r", 5, "a")).isInstanceOf(LockRefusedException.class);
    RedisFenceGuard lent = RedisFenceGuard.over(client);
    lent.close();
    lent.claim("r", 5, "a");
  }
}
