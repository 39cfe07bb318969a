package io.holdfast.cli.commands.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.cli.CliProcess;
import io.holdfast.cli.Setpriv;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.Resource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@DisplayName("A supervised command:")
class SupervisedCommandTest {

  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final Duration GRACE = LEASE.dividedBy(3);

  private final SteppedWorld world = new SteppedWorld();

  @TempDir Path folder;

  @Test
  @DisplayName("any error while it runs ends it before the error is reported")
  void failure() throws Exception {
    try (Holdfast holdfast = client();
        Hold hold = holdfast.lock("job").acquire()) {
      // Half of the lease is the most that a hold watches for: this throws after the start.
      assertThatThrownBy(() -> run(hold, LEASE)).isInstanceOf(IllegalArgumentException.class);
      assertThat(members(hold)).isEmpty();
    }
  }

  @Test
  @DisplayName("the clock is ahead by a lease, as after a sleep of the machine: it is ended")
  void slept() throws Exception {
    try (Holdfast holdfast = client();
        Hold hold = holdfast.lock("job").acquire()) {
      CompletableFuture<SupervisedCommand.End> end =
          CompletableFuture.supplyAsync(() -> run(hold, GRACE));
      Await.until(
          "the command",
          CliProcess.LONG,
          () -> CliProcess.read(folder.resolve("up")).contains("\n"));
      // Before the next renewal, or the end of the lease by the other clock. Again and again: a
      // step
      // before the hold is watched only leads to a renewal. To find all processes of the command,
      // those of the whole machine are looked at, which takes long on a busy one.
      Await.until(
          "the end",
          Duration.ofSeconds(60),
          () -> {
            world.step(LEASE);
            return end.isDone();
          });
      assertThat(end.get()).isInstanceOf(SupervisedCommand.End.Lost.class);
      assertThat(members(hold)).isEmpty();
    }
  }

  @Test
  @DisplayName("an operator's reason is what it says, and all are gone when it says so")
  void revoked() throws Exception {
    try (Holdfast holdfast = client(Duration.ofSeconds(3))) {
      Hold hold = holdfast.lock("job").acquire();
      CompletableFuture<SupervisedCommand.End> end =
          CompletableFuture.supplyAsync(() -> run(hold, Duration.ofSeconds(1)));
      Await.until(
          "the command",
          CliProcess.LONG,
          () -> CliProcess.read(folder.resolve("up")).contains("\n"));
      holdfast
          .inspector()
          .orElseThrow()
          .revoke(new Resource("default", "job"), hold.token(), "it is stuck");
      assertThat(end.get(60, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              SupervisedCommand.End.Lost.class,
              lost -> assertThat(lost.why()).contains("it is stuck"));
      assertThat(members(hold)).isEmpty();
    }
  }

  @Test
  @DisplayName("a signal that came since the lock was granted: it is not started")
  void signalBefore() throws Exception {
    try (Holdfast holdfast = client();
        Hold hold = holdfast.lock("job").acquire()) {
      SignalHandling signals = new SignalHandling(new Thread());
      signals.arrived(TerminationSignal.TERM);
      assertThat(run(hold, GRACE, signals, "echo >'" + folder.resolve("up") + "'"))
          .isEqualTo(new SupervisedCommand.End.Ended(143));
      assertThat(folder.resolve("up")).doesNotExist();
    }
  }

  @Test
  @DisplayName("a hold that is over since it was granted: it is not started")
  void overBefore() throws Exception {
    try (Holdfast holdfast = client();
        Hold hold = holdfast.lock("job").acquire()) {
      world.step(LEASE);
      assertThat(run(hold, GRACE))
          .isInstanceOfSatisfying(
              SupervisedCommand.End.Lost.class,
              lost -> assertThat(lost.why()).contains("was not started"));
      assertThat(folder.resolve("up")).doesNotExist();
    }
  }

  @Test
  @DisplayName("a process that survives KILL after a signal keeps the hold while it is valid")
  void survivor() throws Exception {
    try (Holdfast holdfast = client();
        Hold hold = holdfast.lock("job").acquire()) {
      UnkillableProcess survivor = new UnkillableProcess();
      SignalHandling signals = new SignalHandling(new Thread());
      Duration grace = Duration.ofMillis(300);
      CompletableFuture<SupervisedCommand.End> end =
          CompletableFuture.supplyAsync(
              () ->
                  new SupervisedCommand(Setpriv.tried(), hold, grace, signals)
                      .run(survivor.child(hold.id(), "exec sleep 600")));
      Await.until(
          "a signal that is passed on",
          CliProcess.LONG,
          () -> {
            signals.arrived(TerminationSignal.TERM);
            return survivor.hasChildEnded();
          });
      Await.until(
          "the last KILL", CliProcess.LONG, () -> survivor.kills() == CommandProcessTree.ROUNDS);
      assertThatThrownBy(() -> end.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
      survivor.end();
      assertThat(end.get(30, TimeUnit.SECONDS)).isEqualTo(new SupervisedCommand.End.Ended(143));
    }
  }

  @Test
  @DisplayName("the shortest grace leaves the time that KILL takes")
  void shortestGrace() {
    assertThat(SupervisedCommand.shortestGrace(Duration.ofSeconds(1)))
        .isEqualTo(Duration.ofMillis(300));
    assertThat(SupervisedCommand.shortestGrace(Duration.ofSeconds(6)))
        .isEqualTo(Duration.ofSeconds(1));
    assertThat(SupervisedCommand.shortestGrace(Duration.ofSeconds(30)))
        .isEqualTo(Duration.ofMillis(1500));
  }

  @Test
  @DisplayName(
      "the longest grace leaves the time that a renewal takes, even if the first one fails")
  void longestGrace() {
    assertThat(SupervisedCommand.longestGrace(Duration.ofSeconds(2)))
        .isEqualTo(Duration.ofMillis(800));
    assertThat(SupervisedCommand.longestGrace(Duration.ofSeconds(30)))
        .isEqualTo(Duration.ofSeconds(12));
  }

  private Holdfast client() {
    return client(LEASE);
  }

  private Holdfast client(Duration lease) {
    return Holdfast.connect("memory:", HoldfastOptions.DEFAULTS.withLease(lease), world);
  }

  /** A family of three, of which one has no parent any more. */
  private SupervisedCommand.End run(Hold hold, Duration grace) {
    String script = "sleep 600 & (setsid sleep 600 &); echo >'" + folder.resolve("up") + "'; wait";
    return run(hold, grace, new SignalHandling(Thread.currentThread()), script);
  }

  private static SupervisedCommand.End run(
      Hold hold, Duration grace, SignalHandling signals, String script) {
    return new SupervisedCommand(Setpriv.tried(), hold, grace, signals)
        .run(List.of("sh", "-c", script));
  }

  private static List<ProcessHandle> members(Hold hold) {
    return ProcessHandle.allProcesses()
        .filter(each -> ProcFiles.environment(each.pid()).contains(hold.id()))
        .toList();
  }
}
