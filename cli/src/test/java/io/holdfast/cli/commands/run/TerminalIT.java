package io.holdfast.cli.commands.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.cli.Terminals;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two people at two terminals, mostly on the store that needs no set-up. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("holdfast run, at terminals:")
class TerminalIT {

  private final Path folder;
  private final Terminals terminals;

  TerminalIT(@TempDir Path folder) {
    this.folder = folder;
    this.terminals = new Terminals(folder);
  }

  @BeforeEach
  void open() throws Exception {
    terminals.open("one", "sh");
    terminals.open("two", "sh");
    // In a file, as a terminal takes no more than 4096 characters in a line.
    Path script = folder.resolve("hf");
    Files.writeString(script, "exec " + String.join(" ", CliProcess.java()) + " \"$@\"\n");
    for (String terminal : List.of("one", "two")) {
      terminals.type(terminal, "PS1='$ '; unset HOLDFAST_STORE; export XDG_STATE_HOME=" + folder);
      terminals.type(terminal, "cd " + folder);
    }
  }

  @AfterEach
  void close() throws Exception {
    terminals.close();
  }

  @Test
  @DisplayName(
      "the second waits and says for whom; Ctrl-C ends that; kill -9 of the first lets it in")
  void twoTerminals() throws Exception {
    terminals.type(
        "one",
        "sh hf run job --lease 5s -- sh -c 'echo $PPID >pid; echo $HOLDFAST_TOKEN >t1; cat'");
    long first = Long.parseLong(awaitFile("one", "t1"));
    terminals.type(
        "two", "sh hf run job --lease 5s -- sh -c 'echo $HOLDFAST_TOKEN >t2'; echo code $?");
    terminals.awaitText("two", "waiting for job, held by");
    terminals.press("two", "C-c");
    terminals.awaitText("two", "code 130");

    terminals.type("one", "typed by a person");
    terminals.awaitText("one", "typed by a person\ntyped by a person");

    terminals.type(
        "two", "clear; sh hf run job --lease 5s -- sh -c 'echo $HOLDFAST_TOKEN >t2'; echo code $?");
    terminals.awaitText("two", "waiting for job, held by");
    long start = System.nanoTime();
    CliProcess.signal("KILL", Long.parseLong(CliProcess.awaitLine(folder.resolve("pid"))));
    long second = Long.parseLong(CliProcess.awaitLine(folder.resolve("t2")));
    Figure.since(start, Duration.ofSeconds(6), "two terminals: the second runs after kill -9");
    assertThat(second).isGreaterThan(first);
  }

  @Test
  @DisplayName("a late once reports that the work is done")
  void done() throws Exception {
    terminals.type("one", "sh hf once job --every 1h -- sh -c 'echo >up'");
    String ignored = awaitFile("one", "up");
    terminals.type("two", "sh hf once job --every 1h -- echo again; echo code $?");
    terminals.awaitText("two", "job is already done for this period");
    terminals.awaitText("two", "code 0");
  }

  @Test
  @DisplayName("a candidate reports who leads")
  void election() throws Exception {
    terminals.type("one", "sh hf elect job -- sh -c 'echo >up; cat'");
    String ignored = awaitFile("one", "up");
    terminals.type("two", "sh hf elect job -- true; echo code $?");
    terminals.awaitText("two", "waiting for job, held by");
    terminals.press("two", "C-c");
    terminals.awaitText("two", "code 130");
  }

  @Test
  @DisplayName("a waiter reports that the store does not reply, and that it is reachable again")
  void storeAway() throws Exception {
    try (RedisServer server = RedisServer.start();
        FaultProxy proxy = FaultProxy.to(server.process())) {
      terminals.type("one", "sh hf run job --store " + server.uri() + " -- sh -c 'echo >up; cat'");
      String ignored = awaitFile("one", "up");
      proxy.cut();
      terminals.type("two", "sh hf run job --store redis://127.0.0.1:" + proxy.port() + " -- true");
      terminals.awaitText("two", "does not reply");
      proxy.heal();
      terminals.awaitText("two", "is reachable again");
      terminals.awaitText("two", "waiting for job, held by");
      terminals.press("two", "C-c");
    }
  }

  @Test
  @DisplayName("Ctrl-C goes to the command once, which decides how to handle it")
  void controlC() throws Exception {
    String script = "trap 'echo INT >>ints' INT; echo >up; while [ ! -e end ]; do sleep 0.1; done";
    terminals.type("one", "sh hf run job -- sh -c \"" + script + "\"; echo code $?");
    String ignored = awaitFile("one", "up");
    for (int i = 1; i <= 2; i++) {
      terminals.press("one", "C-c");
      String expected = "INT\n".repeat(i);
      Await.until(
          "Ctrl-C",
          CliProcess.LONG,
          () -> CliProcess.read(folder.resolve("ints")).equals(expected));
    }
    terminals.type("two", "touch end");
    terminals.awaitText("one", "code 0");
    assertThat(CliProcess.read(folder.resolve("ints"))).isEqualTo("INT\nINT\n");
  }

  @ParameterizedTest
  @CsvSource({"C-c, 130", "C-\\, 131"})
  @DisplayName("a key that ends the command ends what it left running too, before the lock is free")
  void keyEndsAll(String key, int code) throws Exception {
    // A shell without job control makes its background jobs deaf to such keys.
    Files.writeString(
        folder.resolve("worker"),
        "trap '' TERM; echo $$ >worker-pid; for i in $(seq 600); do sleep 0.1; done");
    // Java starts commands with QUIT blocked: here is a command that unblocks it.
    Files.writeString(
        folder.resolve("unblocked"),
        "use POSIX; sigprocmask(SIG_UNBLOCK, POSIX::SigSet->new(SIGQUIT)); exec @ARGV;");
    terminals.type(
        "one",
        "sh hf run job --lease 20s --grace 1500ms --"
            + " perl unblocked sh -c 'sh worker & wait'; echo code $?");
    long worker = Long.parseLong(awaitFile("one", "worker-pid"));
    terminals.press("one", key);
    terminals.awaitText("one", "code " + code);
    assertThat(ProcessHandle.of(worker).filter(each -> !ProcFiles.isZombie(each.pid()))).isEmpty();
  }

  /** Fails with what the terminal shows. */
  private String awaitFile(String terminal, String name) throws Exception {
    try {
      return CliProcess.awaitLine(folder.resolve(name));
    } catch (AssertionError e) {
      throw new AssertionError(terminals.text(terminal), e);
    }
  }
}
