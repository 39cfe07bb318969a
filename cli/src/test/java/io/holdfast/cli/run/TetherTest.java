package io.holdfast.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.cli.Cli;
import io.holdfast.cli.Setpriv;
import io.holdfast.rig.Await;
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
@DisplayName("A command on its tether:")
class TetherTest {

  private static final Duration LEASE = Duration.ofSeconds(60);
  private static final Duration GRACE = LEASE.dividedBy(3);

  private final SteppedWorld world = new SteppedWorld();

  @TempDir Path folder;

  @Test
  @DisplayName("whatever goes wrong while it runs, it is ended before that is told")
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
      CompletableFuture<Tether.End> end = CompletableFuture.supplyAsync(() -> run(hold, GRACE));
      Await.until("the command", Cli.LONG, () -> Cli.read(folder.resolve("up")).contains("\n"));
      world.step(LEASE);
      // Long before the next renewal, or the end of the lease by the other clock.
      assertThat(end.get(15, TimeUnit.SECONDS)).isInstanceOf(Tether.End.Lost.class);
      assertThat(members(hold)).isEmpty();
    }
  }

  @Test
  @DisplayName("an operator's reason is what it says, and all are gone when it says so")
  void revoked() throws Exception {
    try (Holdfast holdfast = client(Duration.ofSeconds(3))) {
      Hold hold = holdfast.lock("job").acquire();
      CompletableFuture<Tether.End> end =
          CompletableFuture.supplyAsync(() -> run(hold, Duration.ofSeconds(1)));
      Await.until("the command", Cli.LONG, () -> Cli.read(folder.resolve("up")).contains("\n"));
      holdfast
          .inspector()
          .orElseThrow()
          .revoke(new Resource("default", "job"), hold.token(), "it is stuck");
      assertThat(end.get(60, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              Tether.End.Lost.class, lost -> assertThat(lost.why()).contains("it is stuck"));
      assertThat(members(hold)).isEmpty();
    }
  }

  @Test
  @DisplayName("a signal that came since the lock was granted: it is not started")
  void signalBefore() throws Exception {
    try (Holdfast holdfast = client();
        Hold hold = holdfast.lock("job").acquire()) {
      Signals signals = new Signals(new Thread());
      signals.arrived(Signal.TERM);
      assertThat(run(hold, GRACE, signals, "echo >'" + folder.resolve("up") + "'"))
          .isEqualTo(new Tether.End.Ended(143));
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
              Tether.End.Lost.class, lost -> assertThat(lost.why()).contains("was not started"));
      assertThat(folder.resolve("up")).doesNotExist();
    }
  }

  @Test
  @DisplayName("who survives KILL after a signal keeps the hold, for as long as it is good")
  void survivor() throws Exception {
    try (Holdfast holdfast = client();
        Hold hold = holdfast.lock("job").acquire()) {
      Survivor survivor = new Survivor();
      Signals signals = new Signals(new Thread());
      Duration grace = Duration.ofMillis(300);
      CompletableFuture<Tether.End> end =
          CompletableFuture.supplyAsync(
              () ->
                  new Tether(Setpriv.tried(), hold, grace, signals)
                      .run(survivor.child(hold.id(), "exec sleep 600")));
      Await.until(
          "a signal that is passed on",
          Cli.LONG,
          () -> {
            signals.arrived(Signal.TERM);
            return survivor.hasChildEnded();
          });
      Await.until("the last KILL", Cli.LONG, () -> survivor.kills() == Family.ROUNDS);
      assertThatThrownBy(() -> end.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
      survivor.end();
      assertThat(end.get(30, TimeUnit.SECONDS)).isEqualTo(new Tether.End.Ended(143));
    }
  }

  @Test
  @DisplayName("the shortest grace leaves the time that KILL takes")
  void shortestGrace() {
    assertThat(Tether.shortestGrace(Duration.ofSeconds(1))).isEqualTo(Duration.ofMillis(300));
    assertThat(Tether.shortestGrace(Duration.ofSeconds(6))).isEqualTo(Duration.ofSeconds(1));
    assertThat(Tether.shortestGrace(Duration.ofSeconds(30))).isEqualTo(Duration.ofMillis(1500));
  }

  @Test
  @DisplayName(
      "the longest grace leaves the time that a renewal takes, even if the first one fails")
  void longestGrace() {
    assertThat(Tether.longestGrace(Duration.ofSeconds(2))).isEqualTo(Duration.ofMillis(800));
    assertThat(Tether.longestGrace(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(12));
  }

  private Holdfast client() {
    return client(LEASE);
  }

  private Holdfast client(Duration lease) {
    return Holdfast.connect("memory:", HoldfastOptions.DEFAULTS.withLease(lease), world);
  }

  /** A family of three, of which one has no parent any more. */
  private Tether.End run(Hold hold, Duration grace) {
    String script = "sleep 600 & (setsid sleep 600 &); echo >'" + folder.resolve("up") + "'; wait";
    return run(hold, grace, new Signals(Thread.currentThread()), script);
  }

  private static Tether.End run(Hold hold, Duration grace, Signals signals, String script) {
    return new Tether(Setpriv.tried(), hold, grace, signals).run(List.of("sh", "-c", script));
  }

  private static List<ProcessHandle> members(Hold hold) {
    return ProcessHandle.allProcesses()
        .filter(each -> ProcFiles.environment(each.pid()).contains(hold.id()))
        .toList();
  }
}
