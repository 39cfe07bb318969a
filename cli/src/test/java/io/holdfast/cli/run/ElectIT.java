package io.holdfast.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Cli;
import io.holdfast.rig.Await;
import io.holdfast.rig.FaultProxy;
import io.holdfast.rig.Figure;
import io.holdfast.rig.RedisServer;
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
    Cli.Setup setup = Cli.Setup.in(folder);
    try (Cli first = start(setup, "echo $HOLDFAST_TOKEN >one; sleep 600; :")) {
      long token = Long.parseLong(first.awaitLineIn(folder.resolve("one")));
      try (Cli second = start(setup, "echo $HOLDFAST_TOKEN >two; exit 4")) {
        Await.until("the second's start", Cli.LONG, second::isRunning);
        long start = System.nanoTime();
        first.kill9();
        assertThat(second.awaitExit()).as(second.err()).isEqualTo(4);
        Figure.since(start, LEASE.plusSeconds(1), "another leads after kill -9");
        assertThat(Long.parseLong(Cli.awaitLine(folder.resolve("two")))).isGreaterThan(token);
      }
    }
  }

  @Test
  @DisplayName("a leader that is cut off ends its command, and stands again when it can")
  void cutOff() {
    try (RedisServer server = RedisServer.start();
        FaultProxy proxy = FaultProxy.to(server.process())) {
      Cli.Setup setup = Cli.Setup.in(folder).at("redis://127.0.0.1:" + proxy.port());
      try (Cli leader = start(setup, "echo $HOLDFAST_TOKEN $$ >>terms; sleep 600; :")) {
        leader.awaitLineIn(folder.resolve("terms"));
        long pid = Long.parseLong(terms().get(0).split(" ", -1)[1]);
        proxy.cut();
        Await.until("the end of the command", Cli.LONG, () -> ProcessHandle.of(pid).isEmpty());
        proxy.heal();
        Await.until("another term", Cli.LONG, () -> terms().size() == 2);
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
    Cli cli = Cli.Setup.in(folder).run("elect", "a\u001b[2Jb", "--", "true");

    assertThat(cli.awaitExit()).as(cli.err()).isZero();
    assertThat(cli.err()).contains("leading a\\u001b[2Jb, token ").doesNotContain("\u001b");
  }

  private List<String> terms() {
    return Cli.read(folder.resolve("terms")).lines().toList();
  }

  private long token(int term) {
    return Long.parseLong(terms().get(term).split(" ", -1)[0]);
  }

  private Cli start(Cli.Setup setup, String script) {
    return setup.start(
        "elect", "job", "--lease", "4s", "--", "sh", "-c", "cd '" + folder + "'; " + script);
  }
}
