package io.holdfast.cli.commands.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("holdfast elect:")
class ElectIT {

  private static final Duration LEASE = Duration.ofSeconds(4);

  @TempDir Path folder;

  @Test
  @DisplayName("one leads; when it is killed another does; it ends with its command")
  void killed() {
    CliProcess.Setup setup = CliProcess.Setup.in(folder);
    try (CliProcess first = start(setup, "echo $HOLDFAST_TOKEN >one; sleep 600; :")) {
      long token = Long.parseLong(first.awaitLineIn(folder.resolve("one")));
      try (CliProcess second = start(setup, "echo $HOLDFAST_TOKEN >two; exit 4")) {
        Await.until("the second's start", CliProcess.LONG, second::isRunning);
        long start = System.nanoTime();
        first.kill9();
        assertThat(second.awaitExit()).as(second.err()).isEqualTo(4);
        Figure.since(start, LEASE.plusSeconds(1), "another leads after kill -9");
        assertThat(Long.parseLong(CliProcess.awaitLine(folder.resolve("two"))))
            .isGreaterThan(token);
      }
    }
  }

  @Test
  @DisplayName("a leader that is cut off ends its command, and stands again when it can")
  void cutOff() {
    try (RedisServer server = RedisServer.start();
        FaultProxy proxy = FaultProxy.to(server.process())) {
      CliProcess.Setup setup = CliProcess.Setup.in(folder).at("redis://127.0.0.1:" + proxy.port());
      try (CliProcess leader = start(setup, "echo $HOLDFAST_TOKEN $$ >>terms; sleep 600; :")) {
        leader.awaitLineIn(folder.resolve("terms"));
        long pid = Long.parseLong(terms().get(0).split(" ", -1)[1]);
        proxy.cut();
        Await.until(
            "the end of the command", CliProcess.LONG, () -> ProcessHandle.of(pid).isEmpty());
        proxy.heal();
        Await.until("another term", CliProcess.LONG, () -> terms().size() == 2);
        assertThat(token(1)).isGreaterThan(token(0));
        leader.signal("TERM");
        assertThat(leader.awaitExit()).as(leader.err()).isEqualTo(143);
        assertThat(leader.err()).contains("not leading job any more");
      }
    }
  }

  @Test
  @DisplayName("what it says has nothing in it that moves the cursor")
  void oddName() {
    CliProcess cli = CliProcess.Setup.in(folder).run("elect", "a\u001b[2Jb", "--", "true");

    assertThat(cli.awaitExit()).as(cli.err()).isZero();
    assertThat(cli.err()).contains("leading a\\u001b[2Jb, token ").doesNotContain("\u001b");
  }

  private List<String> terms() {
    return CliProcess.read(folder.resolve("terms")).lines().toList();
  }

  private long token(int term) {
    return Long.parseLong(terms().get(term).split(" ", -1)[0]);
  }

  private CliProcess start(CliProcess.Setup setup, String script) {
    return setup.start(
        "elect", "job", "--lease", "4s", "--", "sh", "-c", "cd '" + folder + "'; " + script);
  }
}
