package io.holdfast.rig.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.clients.ClientJvm;
import io.holdfast.rig.history.History;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole way: client JVMs, their files, one time axis, verdicts. */
@Timeout(60)
class CheckersAcrossProcessesTest {
  private static final Duration BOUND = Duration.ofSeconds(20);
  private static final List<String> CLIENTS = List.of("a", "b", "c");
  private static final int SECTIONS = 120;

  @TempDir Path folder;

  @Test
  void a_right_lock_passes() {
    History history = run("lock");
    new Overlap().check(history).requireClean(SECTIONS);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(SECTIONS);
    new GuardedWrites().check(history).requireClean(SECTIONS);
    new LossNotices().check(history).requireClean(SECTIONS);
    WakeUps.of(history).within(BOUND).requireClean(1);
    System.out.println("file lock: " + WakeUps.of(history));
  }

  @Test
  void a_lock_that_always_grants_is_caught() {
    assertThat(new Overlap().check(run("none")).violations()).isNotEmpty();
  }

  private History run(String mode) {
    List<ClientJvm> clients =
        CLIENTS.stream()
            .map(
                name ->
                    ClientJvm.start(name, SharedFileClient.class, folder.toString(), name, mode))
            .toList();
    try {
      clients.forEach(client -> client.awaitLine("ready", BOUND));
      clients.forEach(client -> client.say("go"));
      assertThat(clients.stream().map(client -> client.awaitExit(BOUND))).containsOnly(0);
    } finally {
      clients.forEach(ClientJvm::close);
    }
    return History.read(Stream.of("a", "b", "c").map(folder::resolve).toList());
  }
}
