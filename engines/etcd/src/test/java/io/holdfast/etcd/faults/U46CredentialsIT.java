package io.holdfast.etcd.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.LockRefusedException;
import io.holdfast.Loss;
import io.holdfast.rig.Await;
import io.holdfast.rig.EtcdServer;
import io.holdfast.rig.Figure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** U46: a server with users, whose tokens end while locks are held and waited for. */
@Isolated
@Timeout(180)
class U46CredentialsIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration HELD =
      System.getProperty("long") == null ? Duration.ofSeconds(8) : Duration.ofMinutes(5);

  @Test
  @DisplayName("locks that are held and waited for survive the end of tokens")
  void tokensEnd() throws Exception {
    try (EtcdServer server = EtcdServer.start("--auth-token-ttl", "3")) {
      secure(server);
      String uri =
          "etcd://locks:s3cret%21@127.0.0.1:"
              + server.port()
              + "?holdfast.lease=2s&holdfast.order=fifo";
      try (Holdfast a = Holdfast.connect(uri);
          Holdfast b = Holdfast.connect(uri)) {
        Hold hold = a.lock("x").acquire(LONG);
        CompletableFuture<Hold> waiting = b.lock("x").acquireAsync(LONG.plus(HELD));
        long from = System.nanoTime();
        Await.until(
            "many tokens", HELD.plus(LONG), () -> System.nanoTime() - from > HELD.toNanos());
        hold.ensureHeld();
        assertThat(waiting).isNotDone();
        long released = System.nanoTime();
        hold.close();
        waiting.get(60, TimeUnit.SECONDS).close();
        Figure.since(released, Duration.ofMillis(50), "tokens of 3 s, held for " + HELD + ": next");
      }
      wrongOnes(server);
    }
  }

  @Test
  @DisplayName("rights that are taken away end what is held, and say so to whoever asks")
  void rightsTakenAway() throws Exception {
    try (EtcdServer server = EtcdServer.start()) {
      secure(server);
      String uri = "etcd://locks:s3cret%21@127.0.0.1:" + server.port() + "?holdfast.lease=2s";
      try (Holdfast holdfast = Holdfast.connect(uri)) {
        Hold hold = holdfast.lock("x").acquire(LONG);
        AtomicReference<Loss> lost = new AtomicReference<>();
        hold.onLoss(lost::set);
        long taken = System.nanoTime();
        server.ctl("--user", "root:root", "user", "revoke-role", "locks", "locks");
        Await.until("the loss is told", LONG, () -> lost.get() != null);
        Figure.since(taken, Duration.ofSeconds(2), "rights taken away (lease 2 s): told");
        assertThat(hold.isHeld()).isFalse();
        assertThatThrownBy(() -> holdfast.lock("y").acquire(LONG))
            .isInstanceOf(LockRefusedException.class)
            .hasMessageContaining("holdfast/");
      }
    }
  }

  private static void wrongOnes(EtcdServer server) {
    String place = "127.0.0.1:" + server.port();
    for (String user : new String[] {"", "locks:wrong-word@", "other:pass-word@"}) {
      try (Holdfast holdfast = Holdfast.connect("etcd://" + user + place)) {
        assertThatThrownBy(() -> holdfast.lock("x").acquire(Duration.ofSeconds(5)))
            .isInstanceOf(LockRefusedException.class)
            .isInstanceOf(HoldfastException.class)
            .hasMessageContaining(place)
            .hasMessageNotContaining("-word");
      }
    }
  }

  private static void secure(EtcdServer server) {
    server.ctl("user", "add", "root:root");
    server.ctl("user", "grant-role", "root", "root");
    server.ctl("user", "add", "locks:s3cret!");
    server.ctl("user", "add", "other:pass-word");
    server.ctl("role", "add", "locks");
    server.ctl("role", "grant-permission", "locks", "--prefix=true", "readwrite", "holdfast/");
    server.ctl("user", "grant-role", "locks", "locks");
    assertThat(server.ctl("auth", "enable")).contains("Authentication Enabled");
  }
}
