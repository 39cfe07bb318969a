package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
    return Entrant.peer(name, server.uri()).contender();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        RedisPeers.REDISSON,
        RedisPeers.REDISSON_FAIR,
        RedisPeers.REDISSON_FENCED,
        RedisPeers.SPRING_SPIN,
        RedisPeers.SPRING_PUB_SUB,
        RedisPeers.JEDIS
      })
  void a_second_caller_waits_until_the_first_has_released(String name) throws Exception {
    Contender contender = contender(name);
    assertThat(contender.name()).isEqualTo(name);
    assertThat(contender.acrossProcesses()).isTrue();
    try (Contender.Session one = contender.open(folder);
        Contender.Session other = contender.open(folder)) {
      excludes(one.caller(), one.caller(), name + "/threads");
      excludes(one.caller(), other.caller(), name + "/clients");
    }
  }

  private static void excludes(Contender.Caller first, Contender.Caller second, String name)
      throws Exception {
    long token = first.acquire(name);
    assertThat(first.isHeld()).isTrue();
    FutureTask<Long> rival =
        new FutureTask<>(
            () -> {
              long later = second.acquire(name);
              second.release();
              return later;
            });
    new Thread(rival).start();
    assertThatThrownBy(() -> rival.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    first.release();
    long later = rival.get(10, TimeUnit.SECONDS);
    if (token != Contender.Caller.NO_TOKEN) {
      assertThat(later).isGreaterThan(token);
    }
    // Free again.
    first.acquire(name);
    first.release();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        RedisPeers.REDISSON,
        RedisPeers.REDISSON_FENCED,
        RedisPeers.SPRING_SPIN,
        RedisPeers.SPRING_PUB_SUB,
        RedisPeers.JEDIS
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
    try (Contender.Session session = contender(RedisPeers.REDISSON_FAIR).open(folder)) {
      Contender.Caller caller = session.caller();
      caller.acquire("fair/lost");
      server.call("FLUSHALL");
      assertThat(caller.isHeld()).isFalse();
      caller.release();
    }
  }

  @Test
  void redisson_has_tokens_that_rise() throws Exception {
    try (Contender.Session session = contender(RedisPeers.REDISSON_FENCED).open(folder)) {
      Contender.Caller caller = session.caller();
      long first = caller.acquire("tokens");
      caller.release();
      assertThat(caller.acquire("tokens")).isGreaterThan(first);
      caller.release();
    }
  }

  @Test
  void locks_expire_after_the_lease() throws Exception {
    Contender contender = Peers.named(RedisPeers.JEDIS, server.uri(), LEASE);
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
    RedisClients clients = new RedisClients(RedisAddress.of(server.uri()));
    Contender contender = contender(RedisPeers.JEDIS);
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
    Entrant entrant = Entrant.peer(RedisPeers.JEDIS, server.uri());
    Workload workload = Workload.shared("apart", 2, Duration.ofNanos(50_000));
    try (Runner runner = ProcessRunner.start(entrant, workload, 3, folder)) {
      Sample sample = runner.run(Duration.ofMillis(300));
      assertThat(sample.faults()).isEmpty();
      assertThat(sample.ops()).isPositive();
      assertThat(sample.extras()).containsKeys("share of process 1", "share of process 3");
    }
  }
}
