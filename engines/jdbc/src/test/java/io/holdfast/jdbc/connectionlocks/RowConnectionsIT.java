package io.holdfast.jdbc.connectionlocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The connections of the mode row. */
@Timeout(120)
class RowConnectionsIT {

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final int CONNECTIONS = 4;
  private static PostgresServer server;

  @BeforeAll
  static void start() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Holdfast connect() {
    return Holdfast.connect(
        server.jdbcUri(PostgresServer.DATABASE, server.user())
            + "&holdfast.mode=row&holdfast.rowConnections="
            + CONNECTIONS);
  }

  @Test
  void one_more_than_there_are_connections_is_refused_at_once_and_a_release_helps()
      throws Exception {
    try (Holdfast holdfast = connect()) {
      List<CompletableFuture<Hold>> holding = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        holding.add(holdfast.lock("held/" + i).acquireAsync(WAIT));
      }
      List<Hold> holds = new ArrayList<>();
      for (CompletableFuture<Hold> each : holding) {
        holds.add(each.get(30, TimeUnit.SECONDS));
      }
      long asked = System.nanoTime();
      assertThatThrownBy(() -> holdfast.lock("one more").acquire(WAIT))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("all " + CONNECTIONS)
          .hasMessageContaining("holdfast.rowConnections")
          .hasMessageContaining("held/");
      Figure.since(asked, Duration.ofMillis(200), "all row connections in use: refused");
      holds.get(0).release();
      holdfast.lock("one more").acquire(WAIT).release();
      holds.subList(1, CONNECTIONS).forEach(Hold::release);
      assertThat(holdfast.health().counters()).containsEntry("rows.held", 0L);
    }
  }

  @Test
  void connections_are_used_again_and_nothing_of_a_name_stays() throws Exception {
    try (Holdfast holdfast = connect()) {
      for (int i = 0; i < 100; i++) {
        holdfast.lock("once/" + i).acquire(WAIT).release();
      }
      String sessions = "select count(*) from pg_stat_activity where application_name = 'holdfast'";
      assertThat(Integer.parseInt(server.sql(sessions))).isLessThanOrEqualTo(CONNECTIONS + 2);
      assertThat(server.sql("select count(*) from holdfast_row where name like 'once/%'"))
          .isEqualTo("0");
    }
    Await.until(
        "the end of all connections",
        WAIT,
        () ->
            server
                .sql("select count(*) from pg_stat_activity where application_name = 'holdfast'")
                .equals("0"));
  }
}
