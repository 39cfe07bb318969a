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
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that is killed and started again, under a client that has the program's pool. */
@Timeout(120)
class KilledUnderAPoolIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration DOWN = Duration.ofSeconds(2);

  @ParameterizedTest
  @EnumSource
  @DisplayName("clients of every mode go on with new connections, and close without a complaint")
  void goesOn(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        HikariDataSource pool = pool(server.url())) {
      Map<String, Holdfast> clients = new LinkedHashMap<>();
      for (String mode : List.of("table", "session", "row")) {
        clients.put(mode, over(pool, server.url() + "&holdfast.mode=" + mode));
      }
      clients.values().forEach(KilledUnderAPoolIT::warmUp);
      server.process().kill9();
      failWhileDown(clients.values());
      server.process().restart();
      long up = System.nanoTime();
      for (Map.Entry<String, Holdfast> client : clients.entrySet()) {
        Await.until("a grant", LONG, () -> isGranted(client.getValue(), client.getKey()));
        Figure.within(
            Duration.ofSeconds(5),
            System.nanoTime() - up,
            "%s, mode %s over a pool: next grant after a restart".formatted(kind, client.getKey()));
      }
      server.endConnections();
      for (Holdfast client : clients.values()) {
        assertThatCode(() -> client.close(Duration.ZERO)).doesNotThrowAnyException();
      }
    }
  }

  private static void warmUp(Holdfast client) {
    for (int i = 0; i < 20; i++) {
      client.lock("n" + i).acquireAsync(LONG).join().release();
    }
  }

  private static void failWhileDown(Collection<Holdfast> clients) {
    List<CompletableFuture<Hold>> asked =
        clients.stream().map(client -> client.lock("down").acquireAsync(DOWN)).toList();
    for (CompletableFuture<Hold> each : asked) {
      assertThatCode(() -> each.get(LONG.toSeconds(), TimeUnit.SECONDS))
          .hasCauseInstanceOf(HoldfastException.class);
    }
  }

  private static boolean isGranted(Holdfast holdfast, String name) throws InterruptedException {
    try (Hold hold = holdfast.lock(name).acquire(Duration.ofSeconds(5))) {
      return hold.isHeld();
    } catch (HoldfastException e) {
      return false;
    }
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(30);
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
