package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.proxy.ProxyCounts;
import io.holdfast.rig.proxy.ProxyFault;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An attempt that reaches the database when its caller has long given up and left. */
@Timeout(120)
class U04LateAttemptIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String TAKEN = "select count(*) from holdfast_lock where ticket is not null";

  private static final String LOCKING =
      "select * from holdfast_lock where name = 'late' for update";

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  @DisplayName("an attempt that the network or a row holds back until after its leave is refused")
  void heldBack(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        LockEngine late = open(server.url(proxy.port()));
        LockEngine direct = open(server.url())) {
      arrives(late, direct, proxy, false);
      // Without the mark that a leave in doubt writes: what arrives late joins indeed.
      Await.until("the late attempt is in", LONG, () -> server.number(TAKEN) == 1);
      Await.until("its lease ends", LONG, () -> isIn(direct.attempt(ticket(), () -> {})));
      server.run("delete from holdfast_lock");

      arrives(late, direct, proxy, true);
      assertThat(server.number(TAKEN)).isZero();
      assertThat(isIn(direct.attempt(ticket(), () -> {}))).isTrue();
      Figure.print("%s: an attempt arrived after its leave and did not join", kind);
      server.run("delete from holdfast_lock");
      behind(server.url(), LOCKING);
    }
  }

  /** An attempt, its leave, and then the attempt reaches the database. */
  private static void arrives(LockEngine late, LockEngine direct, FaultProxy proxy, boolean inDoubt)
      throws Exception {
    Ticket before = ticket();
    assertThat(isIn(late.attempt(before, () -> {}))).isTrue();
    late.leave(before, false);
    Ticket ticket = ticket();
    proxy.apply(Direction.REQUESTS, new ProxyFault.Hold());
    Throwable end = catchThrowable(() -> late.attempt(ticket, () -> {}));
    assertThat(end).isInstanceOf(EngineException.Unknown.class);
    direct.leave(ticket, inDoubt);
    ProxyCounts counts = proxy.counts();
    proxy.heal();
    Await.until(
        "the late request, and that the server is done with it",
        LONG,
        () ->
            proxy.counts().requestBytes() > counts.requestBytes()
                && proxy.counts().open() < counts.open());
  }

  private static boolean isIn(Standing standing) {
    return standing instanceof Standing.Granted;
  }

  private static Ticket ticket() {
    return Tickets.mutex("late", Duration.ofSeconds(2));
  }

  private static LockEngine open(String url) {
    return JdbcEngine.open(JdbcOptions.of(url), Tickets.settings(Duration.ofMillis(600)));
  }

  @Test
  @DisplayName("an attempt behind a row that somebody else has locked does not join later")
  void behindARowOfH2() throws Exception {
    behind("jdbc:h2:mem:late;DB_CLOSE_DELAY=-1", LOCKING);
  }

  @Test
  @DisplayName("the same behind a file that somebody else writes")
  void behindAFile() throws Exception {
    behind(
        "jdbc:sqlite:" + folder.resolve("late.db"),
        "update holdfast_lock set touched_us = touched_us");
  }

  private static void behind(String url, String locking) throws Exception {
    try (Holdfast mine =
            Holdfast.connect(url + (url.contains("?") ? "&" : "?") + "holdfast.lease=20s");
        Holdfast rival = Holdfast.connect(url);
        Connection other = DriverManager.getConnection(url);
        Statement statement = other.createStatement()) {
      mine.lock("late").acquire(LONG).close();
      rival.lock("other").acquire(LONG).close();
      other.setAutoCommit(false);
      statement.execute(locking);
      long start = System.nanoTime();
      Throwable end = catchThrowable(() -> mine.lock("late").acquire(Duration.ofMillis(300)));
      Figure.within(
          Duration.ofMillis(400),
          System.nanoTime() - start,
          url.split(":", 3)[1] + ": row locked: acquire(300 ms) ended");
      assertThat(end)
          .isInstanceOfAny(StoreUnavailableException.class, OutcomeUnknownException.class);
      other.rollback();
      long free = System.nanoTime();
      Hold next = rival.lock("late").acquire(LONG);
      Figure.within(
          Duration.ofSeconds(1),
          System.nanoTime() - free,
          url.split(":", 3)[1] + ": row free again: next grant");
      next.close();
    }
  }
}
