package io.holdfast.jdbc.connectionlocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.Loss;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MariaDB's own driver where it connects again by itself, with and without replaying. */
@Timeout(120)
class ReconnectingDriverIT {

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration WAIT = Duration.ofSeconds(20);

  @ParameterizedTest
  @CsvSource({"row, true", "row, false", "session, true", "session, false"})
  @DisplayName("KILL: the holder hears that its lock is lost, and the rival is alone")
  void killed(String mode, boolean replay) throws Exception {
    try (MariaDbServer server = MariaDbServer.start();
        Holdfast holder = Holdfast.connect(uri(server, mode, replay));
        Holdfast rival =
            Holdfast.connect(
                server.jdbcUri(MariaDbServer.DATABASE, server.user())
                    + "&holdfast.lease=2s&holdfast.mode="
                    + mode)) {
      Hold hold = holder.lock("x").acquire(WAIT);
      server.terminateConnections();
      long killed = System.nanoTime();
      Hold next = rival.lock("x").acquire(WAIT);
      Await.until("the loss", WAIT, () -> hold.loss().isPresent());
      Figure.since(killed, LEASE, "KILL, " + mode + ", replay " + replay + ": the holder hears");
      assertThat(hold.loss().map(Loss::cause)).contains(Loss.Cause.SESSION_OVER);
      assertThat(next.token()).isGreaterThan(hold.token());
      next.ensureHeld();
      next.release();
      holder.lock("x").acquire(WAIT).release();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"row", "session"})
  @DisplayName("a restart, after which the new session has the number of the old one")
  void restarted(String mode) throws Exception {
    try (MariaDbServer server = MariaDbServer.start();
        Holdfast holder = Holdfast.connect(uri(server, mode, true))) {
      Hold hold = holder.lock("x").acquire(WAIT);
      server.process().kill9();
      server.process().restart();
      long restarted = System.nanoTime();
      Await.until("the loss", WAIT, () -> hold.loss().isPresent());
      Figure.since(restarted, LEASE, "restart, " + mode + ": the holder hears");
    }
  }

  @Test
  @DisplayName("the mode table refuses a driver that replays transactions")
  void table() throws Exception {
    try (MariaDbServer server = MariaDbServer.start();
        Holdfast client = Holdfast.connect(uri(server, "table", true))) {
      assertThatThrownBy(() -> client.lock("x").acquire(WAIT))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("transactionReplay");
    }
  }

  private static String uri(MariaDbServer server, String mode, boolean replay) {
    return server
            .jdbcUri(MariaDbServer.DATABASE, server.user())
            .replace("jdbc:mariadb://", "jdbc:mariadb:sequential://")
        + "&transactionReplay="
        + replay
        + "&holdfast.lease=2s&holdfast.mode="
        + mode;
  }
}
