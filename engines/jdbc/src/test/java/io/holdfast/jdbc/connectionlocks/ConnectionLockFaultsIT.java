package io.holdfast.jdbc.connectionlocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Loss;
import io.holdfast.rig.clients.ClientJvm;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a lock that lives on a connection when its client or its server does not. */
@Timeout(120)
class ConnectionLockFaultsIT {

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration WAIT = Duration.ofSeconds(30);

  /** The longest time between two polls. */
  private static final Duration POLL = Duration.ofMillis(600);

  @ParameterizedTest
  @CsvSource({"postgresql, session", "postgresql, row", "mariadb, session", "mariadb, row"})
  @DisplayName("after kill -9 of the holder the next one is in at its next poll")
  void killedHolder(String database, String mode) throws Exception {
    try (Servers server = Servers.start(database);
        ClientJvm holder = ClientJvm.start("holder", HolderJvm.class, server.uri(mode));
        Holdfast rival = Holdfast.connect(server.uri(mode))) {
      long token = token(holder);
      CompletableFuture<Hold> next = rival.lock("x").acquireAsync(WAIT);
      awaitWaiting(rival);
      long killed = holder.kill9();
      Hold hold = next.get(60, TimeUnit.SECONDS);
      Figure.since(
          killed, POLL, "kill -9 of a holder on " + database + ", " + mode + ": next grant");
      assertThat(hold.token()).isGreaterThan(token);
      hold.release();
    }
  }

  @ParameterizedTest
  @CsvSource({"postgresql, session", "postgresql, row", "mariadb, session", "mariadb, row"})
  @DisplayName("a holder that is stopped is ended by the server after a lease, and knows it")
  void stoppedHolder(String database, String mode) throws Exception {
    try (Servers server = Servers.start(database);
        ClientJvm holder = ClientJvm.start("holder", HolderJvm.class, server.uri(mode));
        Holdfast rival = Holdfast.connect(server.uri(mode))) {
      long token = token(holder);
      CompletableFuture<Hold> next = rival.lock("x").acquireAsync(WAIT);
      awaitWaiting(rival);
      long stopped = holder.pause();
      Hold hold = next.get(60, TimeUnit.SECONDS);
      Figure.since(
          stopped,
          LEASE.plus(POLL).plusSeconds(1),
          "SIGSTOP of a holder on " + database + ", " + mode + " (lease 2 s): next grant");
      assertThat(hold.token()).isGreaterThan(token);
      holder.resume();
      holder.say("still?");
      holder.awaitLine("held false", WAIT);
      holder.awaitLine("lost ", WAIT);
      hold.ensureHeld();
      hold.release();
    }
  }

  @ParameterizedTest
  @CsvSource({"postgresql, session", "postgresql, row", "mariadb, session", "mariadb, row"})
  @DisplayName("whose connection an administrator ended hears of it at the next renewal")
  void endedConnection(String database, String mode) throws Exception {
    try (Servers server = Servers.start(database);
        Holdfast holder = Holdfast.connect(server.uri(mode));
        Holdfast rival = Holdfast.connect(server.uri(mode))) {
      Hold hold = holder.lock("x").acquire(WAIT);
      assertThat(rival.lock("x").tryAcquire()).isEmpty();
      server.endConnections().run();
      long ended = System.nanoTime();
      Hold next = rival.lock("x").acquire(WAIT);
      assertThat(next.token()).isGreaterThan(hold.token());
      Await.until("the loss", WAIT, () -> hold.loss().isPresent());
      Figure.since(
          ended,
          LEASE.dividedBy(2),
          "end of the connection on " + database + ", " + mode + " (lease 2 s): the holder hears");
      assertThat(hold.loss().map(Loss::cause)).contains(Loss.Cause.SESSION_OVER);
      next.ensureHeld();
      next.release();
      holder.lock("x").acquire(WAIT).release();
    }
  }

  @ParameterizedTest
  @CsvSource({"postgresql, session", "postgresql, row", "mariadb, session", "mariadb, row"})
  @DisplayName("after the server was killed and started again tokens go on rising")
  void killedServer(String database, String mode) throws Exception {
    try (Servers server = Servers.start(database);
        Holdfast holder = Holdfast.connect(server.uri(mode))) {
      Hold hold = holder.lock("x").acquire(WAIT);
      server.process().kill9();
      Await.until("the loss", WAIT, () -> hold.loss().isPresent());
      server.process().restart();
      long up = System.nanoTime();
      Hold next = holder.lock("x").acquire(WAIT);
      Figure.since(
          up, Duration.ofSeconds(2), "restart of " + database + ", " + mode + ": next grant");
      assertThat(next.token()).isGreaterThan(hold.token());
      assertThat(next.release()).isEqualTo(io.holdfast.Outcome.RELEASED);
    }
  }

  private static long token(ClientJvm holder) {
    return Long.parseLong(holder.awaitLine("acquired ", WAIT).split(" ", -1)[1]);
  }

  private static void awaitWaiting(Holdfast rival) {
    Await.until("the rival waits", WAIT, () -> rival.health().waiting() > 0);
  }
}
