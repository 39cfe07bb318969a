package io.holdfast.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Cli;
import io.holdfast.cli.Engine;
import io.holdfast.cli.Onlooker;
import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code run} promises, with real processes on every engine. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("holdfast run, on every engine:")
class RunOnEveryEngineIT {

  private static final Duration LEASE = Duration.ofSeconds(8);

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.Engine#ofThisRun")
  @DisplayName(
      "a second one waits, and runs when the first is killed; Ctrl-C leaves nothing behind")
  void everyEngine(Engine engine) throws Exception {
    try (Engine.Store store = engine.start(folder);
        Onlooker onlooker = new Onlooker(store)) {
      killed(store, onlooker);
      interrupted(store, onlooker);
    }
  }

  private void killed(Engine.Store store, Onlooker onlooker) throws Exception {
    String script = "echo $$ >pid; echo $HOLDFAST_TOKEN >one; sleep 600; :";
    try (Cli first = start(store, "killed", script)) {
      long token = Long.parseLong(first.awaitLineIn(folder.resolve("one")));
      try (Cli second = start(store, "killed", "echo $HOLDFAST_TOKEN $HOLDFAST_LOCK >two")) {
        awaitWaiting(second, first, onlooker);
        assertThat(folder.resolve("two")).doesNotExist();

        long start = System.nanoTime();
        first.kill9();
        assertThat(second.awaitExit()).as(second.err()).isZero();
        Figure.since(start, LEASE.plusSeconds(1), store.engine() + ": the next, after kill -9");
      }
      String[] words = Cli.awaitLine(folder.resolve("two")).split(" ", -1);
      assertThat(Long.parseLong(words[0])).isGreaterThan(token);
      assertThat(words[1]).isEqualTo("killed");
      long orphan = Long.parseLong(Cli.awaitLine(folder.resolve("pid")));
      assertThat(ProcessHandle.of(orphan).filter(ProcessHandle::isAlive)).isEmpty();
    }
  }

  /** Fails with what the holder says, too: it may have been too slow for its lease. */
  private static void awaitWaiting(Cli second, Cli first, Onlooker onlooker) throws Exception {
    try {
      second.awaitWhileRunning("waiting", () -> onlooker.waiters("killed") > 0);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; the first is " + first, e);
    }
  }

  private void interrupted(Engine.Store store, Onlooker onlooker) throws Exception {
    try (Cli holder = start(store, "waited-for", "echo in >three; sleep 600; :")) {
      holder.awaitLineIn(folder.resolve("three"));
      try (Cli waiter = start(store, "waited-for", "echo never >four")) {
        waiter.awaitWhileRunning("waiting", () -> onlooker.waiters("waited-for") > 0);
        long start = System.nanoTime();
        waiter.signal("INT");
        assertThat(waiter.awaitExit()).as(waiter.err()).isEqualTo(130);
        Figure.since(start, Duration.ofSeconds(1), store.engine() + ": Ctrl-C while waiting");
      }
      // The mark of a waiter in a majority ends by itself.
      Await.until("nobody waits", Duration.ofSeconds(2), () -> onlooker.waiters("waited-for") == 0);
      holder.signal("TERM");
      assertThat(holder.awaitExit()).as(holder.err()).isEqualTo(143);
      assertThat(onlooker.holders("waited-for")).isZero();
    }
    assertThat(folder.resolve("four")).doesNotExist();
  }

  private Cli start(Engine.Store store, String name, String script) {
    List<String> line = new ArrayList<>(List.of("run", name));
    if (name.equals("killed") || store.engine() == Engine.REDLOCK) {
      line.addAll(List.of("--lease", "8s")); // else the usual one: nothing is to end by itself
    }
    if (store.engine().hasAllPrimitives()) {
      line.add("--fifo"); // those that wait in order can be seen waiting
    }
    line.addAll(List.of("--", "sh", "-c", "cd '" + folder + "'; " + script));
    return Cli.Setup.in(folder).at(store.uri()).start(line.toArray(String[]::new));
  }
}
