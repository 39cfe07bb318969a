package io.holdfast.cli.commands.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.StoreObserver;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Two programs that run a command under one lock: the first has it, the second waits. */
final class Rivals implements AutoCloseable {

  private final EngineWithServer.Store store;
  private final StoreObserver onlooker;
  private final Path home;
  private final Path folder;
  private final String name;
  private final List<String> options;
  private final CliProcess first;
  private @Nullable CliProcess second;
  private long token;
  private long struck;

  /**
   * Starts the first.
   *
   * @param home of both; files of their own are below it
   * @param options of both
   */
  Rivals(
      EngineWithServer.Store store,
      StoreObserver onlooker,
      Path home,
      String name,
      List<String> options)
      throws IOException {
    this.store = store;
    this.onlooker = onlooker;
    this.home = home;
    this.folder = Files.createDirectory(home.resolve(name));
    this.name = name;
    this.options = options;
    this.first = start("echo $$ >pid; echo $HOLDFAST_TOKEN >one; sleep 600; :");
  }

  private CliProcess start(String script) {
    List<String> line = new ArrayList<>(List.of("run", name));
    line.addAll(options);
    line.addAll(List.of("--", "sh", "-c", "cd '" + folder + "'; " + script));
    return CliProcess.Setup.in(home).at(store.uri()).start(line.toArray(String[]::new));
  }

  /** Returns when the first is in and the second waits. */
  void meet() throws Exception {
    token = Long.parseLong(first.awaitLineIn(folder.resolve("one")));
    CliProcess waiter = start("echo $HOLDFAST_TOKEN $HOLDFAST_LOCK >two");
    second = waiter;
    try {
      waiter.awaitWhileRunning("waiting", () -> onlooker.isWaitedFor(name));
    } catch (AssertionError e) {
      String both = e.getMessage() + "; the first is " + first;
      // A machine that stood still for a lease has cost it the lock before anything was tried.
      Figure.none(first.err().contains("renewals fail") ? 1 : 0, "lease over too early: " + both);
      throw new AssertionError(both, e);
    }
    assertThat(folder.resolve("two")).doesNotExist();
  }

  private CliProcess second() {
    CliProcess there = second;
    if (there == null) {
      throw new IllegalStateException("they have not met");
    }
    return there;
  }

  void killFirst() {
    struck = System.nanoTime();
    first.kill9();
  }

  /** The second runs when the lease is over, with a higher token; nothing of the first is left. */
  void assertNextIsIn(Duration lease) {
    assertThat(second().awaitExit()).as(second().err()).isZero();
    Figure.since(struck, lease.plusSeconds(1), this + ": the next, after kill -9");
    String[] words = CliProcess.awaitLine(folder.resolve("two")).split(" ", -1);
    assertThat(Long.parseLong(words[0])).isGreaterThan(token);
    assertThat(words[1]).isEqualTo(name);
    long orphan = Long.parseLong(CliProcess.awaitLine(folder.resolve("pid")));
    assertThat(ProcessHandle.of(orphan).filter(ProcessHandle::isAlive)).isEmpty();
  }

  void interruptSecond() {
    struck = System.nanoTime();
    second().signal("INT");
  }

  void assertInterrupted() {
    assertThat(second().awaitExit()).as(second().err()).isEqualTo(130);
    Figure.since(struck, Duration.ofSeconds(1), this + ": Ctrl-C while waiting");
  }

  /** Nothing of the second is left in the store, and nothing of the first when it is ended too. */
  void assertNobodyIsLeft(Duration marks) {
    Await.until("nobody waits: " + this, marks, () -> !onlooker.isWaitedFor(name));
    first.signal("TERM");
    assertThat(first.awaitExit()).as(first.err()).isEqualTo(143);
    assertThat(onlooker.holders(name)).isZero();
    assertThat(folder.resolve("two")).doesNotExist();
  }

  @Override
  public String toString() {
    return store.engine() + " " + name;
  }

  @Override
  public void close() {
    if (second != null) {
      second.close();
    }
    first.close();
  }
}
