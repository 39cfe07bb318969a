package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Health;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.RedisServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.Order;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U61: a server that others use too, or that is too small. */
class U61SharedServerIT {

  private static final Duration WAIT = Duration.ofSeconds(5);

  @Test
  void a_server_that_may_evict_locks_is_a_warning_and_strict_refuses_it() throws Exception {
    try (RedisServer server =
            RedisServer.start(RedisServerOptions.PLAIN.withMaxMemory("64mb", "allkeys-lru"));
        Holdfast holdfast = Holdfast.connect(server.uri());
        Holdfast strict = Holdfast.connect(server.uri() + "?strict=true")) {
      holdfast.lock("a").acquire(WAIT).release();
      Health health = holdfast.health();
      assertThat(health.status()).isEqualTo(Health.Status.WARN);
      assertThat(health.warnings())
          .singleElement()
          .asString()
          .contains("maxmemory-policy is allkeys-lru", "noeviction");
      assertThatThrownBy(() -> strict.lock("a").acquire(WAIT))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("allkeys-lru");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_key_that_was_deleted_by_hand_is_lost_at_the_next_renewal(Order order) throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri() + "?holdfast.lease=3s")) {
      Hold hold = holdfast.with(o -> o.withOrder(order)).lock("a").acquire(WAIT);
      server.call("FLUSHALL");
      // Renewals come at a third of the lease; without one it would last for all of it.
      Await.until("the loss", Duration.ofSeconds(2), () -> hold.loss().isPresent());
      assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.TAKEN);
      assertThat(hold.isHeld()).isFalse();
      assertThat(hold.release()).isEqualTo(Outcome.LOST);
    }
  }

  @Test
  void a_full_server_takes_no_new_locks_and_keeps_the_old_ones() throws Exception {
    try (RedisServer server =
            RedisServer.start(RedisServerOptions.PLAIN.withMaxMemory("8mb", "noeviction"));
        Holdfast holdfast = Holdfast.connect(server.uri() + "?holdfast.lease=2s")) {
      Holdfast fifo = holdfast.with(o -> o.withOrder(Order.FIFO));
      Hold any = holdfast.lock("any").acquire(WAIT);
      Hold line = fifo.lock("line").acquire(WAIT);
      fill(server);
      assertThatThrownBy(() -> holdfast.lock("new").acquire(Duration.ofSeconds(1)))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("OOM");
      assertThatThrownBy(() -> fifo.lock("new").acquire(Duration.ofSeconds(1)))
          .isInstanceOf(StoreUnavailableException.class);
      // By now both have been renewed, for their leases are over.
      Await.until("old age", WAIT, () -> any.remaining().toMillis() < 1400);
      Await.until("a renewal", WAIT, () -> any.remaining().toMillis() > 1400);
      line.ensureHeld();
      assertThat(holdfast.inspector().orElseThrow().list("default", "", "", 10)).hasSize(2);
      assertThat(any.release()).isEqualTo(Outcome.RELEASED);
      assertThat(line.release()).isEqualTo(Outcome.RELEASED);
      server.call("FLUSHALL");
      holdfast.lock("new").acquire(WAIT).release();
    }
  }

  /** With junk, and with a little less room than it has taken by then. */
  private static void fill(RedisServer server) {
    String junk = "x".repeat(20_000);
    for (int i = 0; i < 100; i++) {
      server.call("SET", "junk" + i, junk);
    }
    server.call("CONFIG", "SET", "maxmemory", "2mb");
    assertThatThrownBy(() -> server.call("SET", "more", "x"))
        .isInstanceOf(UncheckedIOException.class)
        .hasRootCauseMessage(
            "the server replied: OOM command not allowed when used memory > 'maxmemory'.");
  }
}
