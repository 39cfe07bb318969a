package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThatCode;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastOptions;
import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A database that is killed and started again, under a client that has the program's pool. */
@Timeout(120)
class KilledUnderAPoolIT {

  private static final Duration LONG = Duration.ofSeconds(60);

  @ParameterizedTest
  @CsvSource({
    "POSTGRESQL, table", "POSTGRESQL, session", "POSTGRESQL, row",
    "MARIADB, table", "MARIADB, session", "MARIADB, row"
  })
  @DisplayName("the client goes on with new connections, and closes without a complaint")
  void goesOn(Server.Kind kind, String mode) throws Exception {
    try (Server server = kind.start();
        HikariDataSource pool = pool(server.url())) {
      Holdfast holdfast = over(pool, server.url() + "&holdfast.mode=" + mode);
      for (int i = 0; i < 20; i++) {
        holdfast.lock("n" + i).acquire(LONG).release();
      }
      server.process().kill9();
      assertThatCode(() -> holdfast.lock("down").acquire(Duration.ofSeconds(3)))
          .isInstanceOf(HoldfastException.class);
      server.process().restart();
      long up = System.nanoTime();
      Await.until("a grant", LONG, () -> isGranted(holdfast));
      Figure.within(
          Duration.ofSeconds(5),
          System.nanoTime() - up,
          "%s, mode %s over a pool: next grant after a restart".formatted(kind, mode));
      server.endConnections();
      assertThatCode(() -> holdfast.close(Duration.ZERO)).doesNotThrowAnyException();
    }
  }

  private static boolean isGranted(Holdfast holdfast) throws InterruptedException {
    try (Hold hold = holdfast.lock("up").acquire(Duration.ofSeconds(5))) {
      return hold.isHeld();
    } catch (HoldfastException e) {
      return false;
    }
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(10);
    config.setConnectionTimeout(1000);
    return new HikariDataSource(config);
  }

  private static Holdfast over(HikariDataSource pool, String url) {
    JdbcOptions options = JdbcOptions.of(url + "&holdfast.rowConnections=4");
    return Holdfast.open(
        JdbcEngine.over(pool, options, Tickets.settings(Duration.ofSeconds(2))),
        HoldfastOptions.DEFAULTS);
  }
}
