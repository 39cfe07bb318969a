package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.scenarios.ManyNamesScenario;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.LongRun;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * U31: names that are used once leave nothing behind when they have been idle for an hour, which is
 * made to pass in the rows; those that are held stay.
 */
@Timeout(300)
class U31ResidueIT {

  private static final int NAMES = LongRun.of(3_000, 100_000);
  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final String AN_HOUR_LATER =
      "update holdfast_lock set touched_us = touched_us - 7200000000,"
          + " counter = counter - 112500000";

  @TempDir Path folder;

  @Test
  void on_postgresql() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      leavesNothing(server.jdbcUri(PostgresServer.DATABASE, server.user()));
    }
  }

  @Test
  void on_mariadb() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.createDatabase("app");
      leavesNothing(server.jdbcUri("app", server.user()));
    }
  }

  @Test
  void on_h2() throws Exception {
    // Another one each time: what a first run left would be in the way of a second.
    leavesNothing("jdbc:h2:mem:u31-" + System.nanoTime() + ";DB_CLOSE_DELAY=-1");
  }

  @Test
  void on_sqlite() throws Exception {
    leavesNothing("jdbc:sqlite:" + folder.resolve("u31.db"));
  }

  private static void leavesNothing(String url) throws Exception {
    try (Holdfast holdfast = Holdfast.connect(url);
        Connection connection = DriverManager.getConnection(url)) {
      long millis = ManyNamesScenario.useAll(holdfast, NAMES);
      assertThat(count(connection)).isEqualTo(NAMES);
      System.out.printf("figure: U31 on %s: %,d names in %,d ms%n", store(url), NAMES, millis);
      Hold held = holdfast.lock("held").acquire(WAIT);
      long before = ManyNamesScenario.use(holdfast, 0);
      try (Statement statement = connection.createStatement()) {
        statement.execute(AN_HOUR_LATER + " where name <> 'order/0'");
      }
      isSwept(url, connection, holdfast);
      held.ensureHeld();
      assertThat(ManyNamesScenario.use(holdfast, 0)).isGreaterThan(before);
      held.release();
    }
  }

  /**
   * By a client that begins its walk now, as one that has just ended a walk rests for a minute; and
   * by that one, where it has not.
   */
  private static void isSwept(String url, Connection connection, Holdfast other) throws Exception {
    long start = System.nanoTime();
    try (Holdfast holdfast = Holdfast.connect(url)) {
      // There is no thread that cleans up: whoever uses the store does.
      Await.until(
          "only the held and the used name are left",
          Duration.ofSeconds(LongRun.of(60, 180)),
          () -> {
            ManyNamesScenario.use(holdfast, 0);
            return count(connection) == 2;
          });
      Await.until(
          "each was counted once", WAIT, () -> removed(holdfast) + removed(other) == NAMES - 1);
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    System.out.printf("figure: U31 on %s: removed in %,d ms%n", store(url), millis);
  }

  private static long removed(Holdfast holdfast) {
    return holdfast.health().counters().get("rows.removed");
  }

  private static String store(String url) {
    return url.replaceAll("[?;].*", "");
  }

  private static int count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select count(*) from holdfast_lock")) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
