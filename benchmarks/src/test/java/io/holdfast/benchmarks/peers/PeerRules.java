package io.holdfast.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.benchmarks.runners.ProcessRunner;
import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.RoundRunner;
import io.holdfast.cli.bench.Sample;
import io.holdfast.cli.bench.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What every peer must do to be worth a comparison. */
final class PeerRules {

  private PeerRules() {}

  /**
   * A second caller waits until the first has released, among threads and among clients.
   *
   * @return a token that it gave, if it has any
   */
  static long aSecondCallerWaits(Contender contender, String name, Path folder) throws Exception {
    assertThat(contender.name()).isEqualTo(name);
    assertThat(contender.acrossProcesses()).isTrue();
    try (Contender.Session one = contender.open(folder);
        Contender.Session other = contender.open(folder)) {
      excludes(one.caller(), one.caller(), name + "/threads");
      return excludes(one.caller(), other.caller(), name + "/clients");
    }
  }

  /** Each by a thread of its own: some of them are owned by threads. */
  private static long excludes(Contender.Caller first, Contender.Caller second, String name)
      throws Exception {
    long token = first.acquire(name);
    assertThat(first.isHeld()).isTrue();
    FutureTask<Long> rival =
        new FutureTask<>(
            () -> {
              long later = second.acquire(name);
              second.release();
              return later;
            });
    new Thread(rival).start();
    assertThatThrownBy(() -> rival.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    first.release();
    long later = rival.get(20, TimeUnit.SECONDS);
    if (token != Contender.Caller.NO_TOKEN) {
      assertThat(later).isGreaterThan(token);
    }
    // Free again.
    first.acquire(name);
    first.release();
    return token;
  }

  /** Three processes never hold one name at the same time; returns what they did. */
  static Sample threeProcessesKeepApart(ContenderSpec spec, Path folder) throws Exception {
    Workload workload = Workload.shared("apart", 2, Duration.ofNanos(50_000));
    try (RoundRunner runner = ProcessRunner.start(spec, workload, 3, folder)) {
      Sample sample = runner.run(Duration.ofMillis(300));
      assertThat(sample.faults()).isEmpty();
      assertThat(sample.ops()).isPositive();
      return sample;
    }
  }
}
