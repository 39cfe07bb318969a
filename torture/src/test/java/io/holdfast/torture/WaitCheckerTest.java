package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WaitCheckerTest {
  private static final long SECOND = 1_000_000_000;

  @TempDir Path folder;

  @Test
  @DisplayName("a call that returns long after its time is found")
  void late() throws Exception {
    Workers.Life life =
        life("call 1 any-0 exclusive 1000 0", "not-granted 1 " + 20 * SECOND + " busy");
    WaitChecker.Result found = new WaitChecker(List.of()).check(List.of(life));
    assertThat(found.late()).hasSize(1);
    assertThat(found.longestLateMillis()).isEqualTo(17_000.0);
  }

  @Test
  @DisplayName("the time in which its process was stopped does not count")
  void stopped() throws Exception {
    Workers.Life life =
        life("call 1 any-0 exclusive 1000 0", "not-granted 1 " + 20 * SECOND + " busy");
    Fault stop = Fault.ofWorker(FaultKind.WORKER_STOPPED, 0, SECOND, 18 * SECOND);
    assertThat(new WaitChecker(List.of(stop)).check(List.of(life)).late()).isEmpty();
    Fault others = Fault.ofWorker(FaultKind.WORKER_STOPPED, 1, SECOND, 18 * SECOND);
    assertThat(new WaitChecker(List.of(others)).check(List.of(life)).late()).hasSize(1);
  }

  @Test
  @DisplayName("a call that is still out when its process ends in order never returned")
  void never() throws Exception {
    Workers.Life life = life("call 1 any-0 exclusive 1000 0");
    life.over = SECOND;
    assertThat(new WaitChecker(List.of()).check(List.of(life)).never()).hasSize(1);
    life.killed = true;
    assertThat(new WaitChecker(List.of()).check(List.of(life)).never()).isEmpty();
  }

  private Workers.Life life(String... lines) throws Exception {
    Path log = folder.resolve("log");
    Files.write(log, List.of(lines));
    LogReader reader = new LogReader(log, "worker-0.0", 0);
    reader.read();
    return new Workers.Life(reader, 0);
  }
}
