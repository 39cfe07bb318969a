package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Await;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * U04: an attempt that the database holds up behind a locked row does not get the lock after its
 * caller has given up.
 */
@Timeout(120)
class U04LateAttemptIT {

  @Test
  void on_postgresql() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      doesNotJoin(server.jdbcUri(PostgresServer.DATABASE, server.user()));
    }
  }

  @Test
  void on_mariadb() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.createDatabase("app");
      doesNotJoin(server.jdbcUri("app", server.user()));
    }
  }

  private static void doesNotJoin(String url) throws Exception {
    try (Holdfast holdfast = Holdfast.connect(url);
        Holdfast rival = Holdfast.connect(url);
        Connection other = DriverManager.getConnection(url);
        Statement statement = other.createStatement()) {
      holdfast.lock("late").acquire(Duration.ofSeconds(5)).release();
      other.setAutoCommit(false);
      statement.execute("select * from holdfast_lock where name = 'late' for update");
      Throwable failure =
          catchThrowable(() -> holdfast.lock("late").acquire(Duration.ofMillis(1500)));
      assertThat(failure).isInstanceOf(HoldfastException.class);
      System.out.println("figure: behind a locked row: " + failure.getClass().getSimpleName());
      other.rollback();
      Await.until(
          "a rival gets in",
          Duration.ofSeconds(10),
          () -> rival.lock("late").tryAcquire().map(Hold::release).isPresent());
      // The row is nobody's, and stays so.
      Hold hold = rival.lock("late").acquire(Duration.ofSeconds(5));
      assertThat(holdfast.lock("late").tryAcquire()).isEmpty();
      hold.release();
    }
  }
}
