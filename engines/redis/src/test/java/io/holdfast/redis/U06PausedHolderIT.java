package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import io.holdfast.rig.clients.ClientJvm;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** U06, and what the seeds ask for: a holder that was paused past its lease does not write. */
@Timeout(60)
class U06PausedHolderIT {

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final Duration ONCE = Duration.ofMillis(1);

  @ParameterizedTest(name = "handed over: {0}")
  @ValueSource(booleans = {false, true})
  void the_late_write_of_a_paused_holder_is_refused(boolean handedOver) throws Exception {
    try (RedisServer server = RedisServer.start();
        ClientJvm paused =
            ClientJvm.start(
                "paused", LateWriter.class, server.uri(), Boolean.toString(handedOver));
        Holdfast holdfast = Holdfast.connect(server.uri());
        RedisFenceGuard guard = RedisFenceGuard.connect(server.uri())) {
      long old = Long.parseLong(paused.awaitLine("held ", WAIT).split(" ", -1)[1]);
      // It is handed over within a second, or not at all.
      Await.until("handed over: " + handedOver, ONCE, () -> old % 1024 == (handedOver ? 1 : 0));
      paused.say("in time");
      paused.awaitLine("wrote in time", WAIT);

      paused.pause();
      try (Hold hold = holdfast.lock(LateWriter.RESOURCE).acquire(WAIT)) {
        guard.claim(hold);
        paused.resume();
        // Before the new holder has written anything: its claim is enough.
        paused.say("late");
        assertThat(paused.awaitLine("stale ", WAIT)).isEqualTo("stale " + old + " " + hold.token());
        assertThat(server.call("GET", LateWriter.DATA)).isEqualTo("in time");
        guard.run(hold, LateWriter.write("new"));
      }
      paused.say("too late");
      paused.awaitLine("stale ", WAIT);
      assertThat(server.call("GET", LateWriter.DATA)).isEqualTo("new");
      assertThat(paused.lines()).doesNotContain("wrote late", "wrote too late");
    }
  }

  @Test
  void a_hold_that_was_handed_on_within_its_client_is_refused_too() throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri());
        RedisFenceGuard guard = RedisFenceGuard.connect(server.uri())) {
      Hold first = holdfast.lock(LateWriter.RESOURCE).acquire(WAIT);
      CompletableFuture<Hold> next = holdfast.lock(LateWriter.RESOURCE).acquireAsync(WAIT);
      guard.claim(first);
      first.release();
      Hold second = next.get();
      assertThat(second.token()).isEqualTo(first.token() + 1);
      guard.run(second, LateWriter.write("second"));
      assertThatThrownBy(() -> guard.run(first, LateWriter.write("first")))
          .isInstanceOf(StaleTokenException.class);
      assertThatThrownBy(() -> guard.admit(first)).isInstanceOf(StaleTokenException.class);
      assertThat(server.call("GET", LateWriter.DATA)).isEqualTo("second");
      second.release();
    }
  }
}
