package io.holdfast.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.bench.ConnectionCount;
import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.ServerConnections;
import io.holdfast.rig.servers.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every peer over Redis is a lock: alone, among threads and among clients. */
@Timeout(60)
class RedisPeersIT {

  private static final Duration LEASE = Duration.ofSeconds(30);

  private static RedisServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Contender contender(String name) {
    return ContenderSpec.peer(name, server.uri()).contender();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        Peers.REDISSON,
        Peers.REDISSON_FAIR,
        Peers.REDISSON_FENCED,
        Peers.SPRING_REDIS_SPIN,
        Peers.SPRING_REDIS_PUB_SUB,
        Peers.JEDIS_SET_NX
      })
  void a_second_caller_waits_until_the_first_has_released(String name) throws Exception {
    PeerRules.aSecondCallerWaits(contender(name), name, folder);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        Peers.REDISSON,
        Peers.REDISSON_FENCED,
        Peers.SPRING_REDIS_SPIN,
        Peers.SPRING_REDIS_PUB_SUB,
        Peers.JEDIS_SET_NX
      })
  void a_lock_that_was_lost_cannot_be_released(String name) throws Exception {
    try (Contender.Session session = contender(name).open(folder)) {
      Contender.Caller caller = session.caller();
      caller.acquire(name + "/lost");
      server.call("FLUSHALL");
      assertThatThrownBy(caller::release).isInstanceOf(RuntimeException.class);
    }
  }

  /** Not our bug, but it explains why a run cannot see it: the ledger must. */
  @Test
  void redisson_does_not_say_that_a_fair_lock_was_lost() throws Exception {
    try (Contender.Session session = contender(Peers.REDISSON_FAIR).open(folder)) {
      Contender.Caller caller = session.caller();
      caller.acquire("fair/lost");
      server.call("FLUSHALL");
      assertThat(caller.isHeld()).isFalse();
      caller.release();
    }
  }

  @Test
  void redisson_has_tokens_that_rise() throws Exception {
    try (Contender.Session session = contender(Peers.REDISSON_FENCED).open(folder)) {
      Contender.Caller caller = session.caller();
      long first = caller.acquire("tokens");
      caller.release();
      assertThat(caller.acquire("tokens")).isGreaterThan(first);
      caller.release();
    }
  }

  @Test
  void locks_expire_after_the_lease() throws Exception {
    Contender contender = Peers.named(Peers.JEDIS_SET_NX, server.uri(), LEASE);
    try (Contender.Session session = contender.open(folder)) {
      Contender.Caller caller = session.caller();
      caller.acquire("expiry");
      assertThat(Long.parseLong(server.call("PTTL", "expiry")))
          .isBetween(20_000L, LEASE.toMillis());
      caller.release();
      assertThat(server.call("EXISTS", "expiry")).isEqualTo("0");
    }
  }

  @Test
  void connections_are_told_apart_by_whose_turn_it_was() throws Exception {
    Supplier<Set<String>> clients = ServerConnections.at(server.uri()).orElseThrow();
    Contender contender = contender(Peers.JEDIS_SET_NX);
    ConnectionCount count = new ConnectionCount(Optional.of(clients));
    try (Contender.Session other = contender.open(folder)) {
      assertThat(clients.get()).isNotEmpty();
      count.begin();
      assertThat(count.look()).hasValue(0);
      try (Contender.Session session = contender.open(folder)) {
        assertThat(count.look()).hasValue(1);
      }
    }
  }

  @Test
  void three_processes_keep_apart() throws Exception {
    ContenderSpec spec = ContenderSpec.peer(Peers.JEDIS_SET_NX, server.uri());
    assertThat(PeerRules.threeProcessesKeepApart(spec, folder).extras())
        .containsKeys("share of process 1", "share of process 3");
  }
}
