package io.holdfast.jdbc.connectionlocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of the mode row that hang while others of the same client work. */
@Timeout(120)
class RowProbesIT {

  private static final int HOLDS = 8;
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration WAIT = Duration.ofSeconds(20);

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  @DisplayName("cost their own holds and no other")
  void hang(int frozen) throws Exception {
    try (PostgresServer server = PostgresServer.start();
        Holdfast client =
            Holdfast.connect(
                server.jdbcUri(PostgresServer.DATABASE, server.user())
                    + "&holdfast.mode=row&holdfast.lease=2s")) {
      List<Hold> holds = new ArrayList<>();
      for (int i = 0; i < HOLDS; i++) {
        holds.add(client.lock("held/" + i).acquire(WAIT));
      }
      List<String> backends = backends(server).subList(0, frozen);
      signal("STOP", backends);
      try {
        long stopped = System.nanoTime();
        Await.until("the loss of those that hang", WAIT, () -> lost(holds) >= frozen);
        Figure.since(stopped, LEASE, frozen + " of " + HOLDS + " row connections hang: all lost");
        Await.until(
            "three leases", WAIT, () -> since(stopped).compareTo(LEASE.multipliedBy(3)) > 0);
        assertThat(lost(holds)).isEqualTo(frozen);
        assertThat(holds.stream().filter(Hold::isHeld)).hasSize(HOLDS - frozen);
      } finally {
        signal("CONT", backends);
      }
      holds.stream().filter(Hold::isHeld).forEach(Hold::release);
      for (int i = 0; i < HOLDS; i++) {
        client.lock("held/" + i).acquire(WAIT).release();
      }
      assertThat(client.health().counters()).containsEntry("rows.held", 0L);
    }
  }

  private static long lost(List<Hold> holds) {
    return holds.stream().filter(hold -> hold.loss().isPresent()).count();
  }

  private static Duration since(long nanoTime) {
    return Duration.ofNanos(System.nanoTime() - nanoTime);
  }

  /** The server's processes that have rows locked. */
  private static List<String> backends(PostgresServer server) {
    return server
        .sql(
            "select pid from pg_stat_activity where application_name = 'holdfast'"
                + " and state = 'idle in transaction' order by pid")
        .lines()
        .toList();
  }

  private static void signal(String name, List<String> processes)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$0\" \"$@\"", name));
    command.addAll(processes);
    Process kill = new ProcessBuilder(command).start();
    assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(kill.exitValue()).isZero();
  }
}
