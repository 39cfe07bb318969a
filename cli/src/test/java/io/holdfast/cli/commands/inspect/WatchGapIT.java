package io.holdfast.cli.commands.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.cli.CliProcess;
import io.holdfast.cli.ExitCode;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("holdfast watch, when the store does not reply for a while,")
class WatchGapIT {

  @TempDir Path folder;

  @Test
  @DisplayName("reports it once, keeps trying, and reports when the store is back")
  void goesOn() throws Exception {
    try (RedisServer server = RedisServer.start();
        Holdfast holdfast = Holdfast.connect(server.uri());
        FaultProxy proxy = FaultProxy.to(server.process());
        CliProcess watch = start(proxy)) {
      try (Hold before = holdfast.lock("before").acquire()) {
        watch.awaitWhileRunning("a change", () -> watch.out().contains("+ before"));
        proxy.blackHole();
        watch.awaitWhileRunning("a word", () -> watch.err().contains("does not reply"));
        assertThat(before.isHeld()).isTrue();
      }
      proxy.heal();
      watch.awaitWhileRunning("the end of the gap", () -> watch.out().contains("- before"));
      assertThat(watch.err().lines().toList()).hasSize(2);
      assertThat(watch.err()).contains("is reachable again").doesNotContain("Exception");
    }
  }

  @Test
  @DisplayName("reports both as changes in JSON")
  void json() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast holdfast = Holdfast.connect(server.uri());
        Hold held = holdfast.lock("held").acquire();
        CliProcess watch = start(proxy, "--json")) {
      watch.awaitWhileRunning("a change", () -> watch.out().contains("held"));
      assertThat(held.isHeld()).isTrue();
      proxy.cut();
      watch.awaitWhileRunning("a gap", () -> watch.out().contains("silent"));
      proxy.heal();
      watch.awaitWhileRunning("its end", () -> watch.out().contains("back"));
      List<String> lines = watch.out().lines().toList();
      assertThat(lines).hasSize(3).allMatch(line -> line.matches("\\{\"time\":.*}"));
      assertThat(lines.get(1)).contains("\"change\":\"silent\"", "\"store\":\"redis:", "\"why\":");
      assertThat(lines.get(2)).contains("\"change\":\"back\"");
      assertThat(watch.err()).isEmpty();
    }
  }

  @Test
  @DisplayName(
      "ends if the store never replied, and with that code if the store is silent at the end")
  void ends() throws Exception {
    CliProcess never = CliProcess.Setup.in(folder).at("redis://127.0.0.1:1").run("watch");
    assertThat(never.awaitExit()).as(never.err()).isEqualTo(ExitCode.STORE);
    try (RedisServer server = RedisServer.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        Holdfast holdfast = Holdfast.connect(server.uri());
        Hold held = holdfast.lock("held").acquire();
        CliProcess watch = start(proxy, "--for", "8s")) {
      watch.awaitWhileRunning("a change", () -> watch.out().contains("held"));
      assertThat(held.isHeld()).isTrue();
      proxy.cut();
      assertThat(watch.awaitExit()).as(watch.err()).isEqualTo(ExitCode.STORE);
    }
  }

  private CliProcess start(FaultProxy proxy, String... more) {
    List<String> line = new ArrayList<>(List.of("watch", "--every", "100ms"));
    line.addAll(List.of(more));
    return CliProcess.Setup.in(folder)
        .at("redis://127.0.0.1:" + proxy.port())
        .start(line.toArray(String[]::new));
  }
}
