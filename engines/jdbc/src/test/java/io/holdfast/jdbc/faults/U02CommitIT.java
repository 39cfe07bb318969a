package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockLostException;
import io.holdfast.rig.time.Await;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The order that programs keep: acquire, begin, commit, release. Nothing but the lock keeps the
 * transactions apart: they read and then write what they have read, and no guard takes part.
 */
@Timeout(120)
class U02CommitIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String READ = "select amount from stock";

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "100 decrements under the lock are 100, also where a commit takes long or comes late")
  void decrements(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Holdfast mine = Holdfast.connect(server.uri());
        Holdfast theirs = Holdfast.connect(server.uri())) {
      server.run("create table stock (amount int not null)", "insert into stock values (101)");
      tenTimesTen(server, mine, theirs);
      assertThat(server.number(READ)).isEqualTo(1);
      slowCommit(server, mine, theirs);
      assertThat(server.number(READ)).isEqualTo(-1);
      lostBeforeCommit(server, mine);
      assertThat(server.number(READ)).isEqualTo(-1);
    }
  }

  private static void tenTimesTen(Server server, Holdfast mine, Holdfast theirs) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(10);
    try {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int t = 0; t < 10; t++) {
        Holdfast client = t % 2 == 0 ? mine : theirs;
        Callable<Boolean> body =
            () -> {
              for (int i = 0; i < 10; i++) {
                client.lock("stock").call(LONG, hold -> decrement(server, hold, 0));
              }
              return true;
            };
        all.add(threads.submit(body));
      }
      for (Future<Boolean> each : all) {
        each.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** A commit that comes 2.5 s later, with a lease of 2 s and a rival that waits. */
  private static void slowCommit(Server server, Holdfast mine, Holdfast theirs) throws Exception {
    Hold slow = mine.lock("stock").acquire(LONG);
    CompletableFuture<Long> rival =
        theirs
            .lock("stock")
            .acquireAsync(LONG)
            .thenApply(
                hold -> {
                  long granted = System.nanoTime();
                  try (hold) {
                    decrement(server, hold, 0);
                    return granted;
                  } catch (SQLException e) {
                    throw new IllegalStateException(e);
                  }
                });
    long committed = decrement(server, slow, 2500);
    slow.close();
    long granted = rival.get(30, TimeUnit.SECONDS);
    assertThat(granted - committed).as("from the commit to the rival's grant").isPositive();
  }

  /** Whoever lost the lock before the commit rolls back and says so. */
  private static void lostBeforeCommit(Server server, Holdfast mine) {
    assertThatThrownBy(
            () ->
                mine.with(o -> o.withFixedLease(Duration.ofSeconds(2)))
                    .lock("stock")
                    .call(LONG, hold -> decrement(server, hold, 2500)))
        .isInstanceOf(LockLostException.class);
  }

  /** Answers when it was committed. */
  private static long decrement(Server server, Hold hold, long millis) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.url());
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      int amount;
      try (ResultSet rows = statement.executeQuery(READ)) {
        rows.next();
        amount = rows.getInt(1);
      }
      statement.execute("update stock set amount = " + (amount - 1));
      long start = System.nanoTime();
      Await.until("work", LONG, () -> System.nanoTime() - start >= millis * 1_000_000);
      try {
        hold.ensureHeld();
      } catch (LockLostException e) {
        connection.rollback();
        throw e;
      }
      connection.commit();
      return System.nanoTime();
    }
  }
}
