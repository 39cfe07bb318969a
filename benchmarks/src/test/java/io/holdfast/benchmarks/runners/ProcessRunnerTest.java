package io.holdfast.benchmarks.runners;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.benchmarks.peers.ContenderSpec;
import io.holdfast.benchmarks.peers.Peers;
import io.holdfast.cli.bench.ProtectedCounters;
import io.holdfast.cli.bench.RoundRunner;
import io.holdfast.cli.bench.Sample;
import io.holdfast.cli.bench.WaitTimes;
import io.holdfast.cli.bench.Workload;
import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessRunnerTest {

  private static final Duration SHORT = Duration.ofMillis(200);

  @TempDir Path folder;

  @Test
  void two_processes_share_a_name_and_end_with_the_runner() throws Exception {
    Workload workload = Workload.shared("run/name", 2, Duration.ZERO);
    long before = ProcessHandle.current().children().filter(ProcessHandle::isAlive).count();
    try (RoundRunner runner =
        ProcessRunner.start(ContenderSpec.peer(Peers.FILE_LOCK), workload, 2, folder)) {
      assertThat(ProcessHandle.current().children()).hasSizeGreaterThanOrEqualTo(2);
      for (int round = 0; round < 2; round++) {
        Sample sample = runner.run(SHORT);
        assertThat(sample.faults()).isEmpty();
        assertThat(sample.shares()).hasSize(2).allMatch(share -> share > 0);
        assertThat(sample.ops()).isEqualTo(sample.shares().get(0) + sample.shares().get(1));
      }
    }
    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive).count())
        .isEqualTo(before);
  }

  @Test
  void threads_of_several_processes_can_have_names_of_their_own() throws Exception {
    Workload workload = Workload.own("run/own", 2, 2, Duration.ZERO);
    assertThat(workload.names()).hasSize(4);
    assertThat(workload.ofProcess(1).cellOf(1)).isEqualTo(3);
    // They need no lock.
    try (RoundRunner runner =
        ProcessRunner.start(ContenderSpec.peer(Peers.REENTRANT), workload, 2, folder)) {
      Sample sample = runner.run(SHORT);
      assertThat(sample.faults()).isEmpty();
      assertThat(sample.shares()).hasSize(2).allMatch(share -> share > 0);
    }
  }

  @Test
  void a_lock_that_ends_at_the_process_loses_updates() throws Exception {
    Workload workload = Workload.shared("run/name", 1, Duration.ofNanos(50_000));
    try (RoundRunner runner =
        ProcessRunner.start(ContenderSpec.peer(Peers.REENTRANT), workload, 2, folder)) {
      List<String> faults = runner.run(SHORT).faults();
      // On a busy machine one process may have its turn when the other has ended.
      for (int again = 0; faults.isEmpty() && again < 20; again++) {
        faults = runner.run(SHORT).faults();
      }
      assertThat(faults).singleElement().asString().startsWith("lost updates: ");
    }
  }

  /** A second with so many waits of 1 us. */
  private static Sample sample(int ops, List<String> faults) {
    WaitTimes waits = WaitTimes.none();
    for (int i = 0; i < ops; i++) {
      waits.add(1_000);
    }
    return new Sample(1_000_000_000L, waits, List.of(), 100L * ops, 0, faults, Map.of());
  }

  @Test
  void processes_together_are_as_long_as_the_longest_and_have_a_share_each() {
    Sample all = ProcessRunner.together(List.of(sample(10, List.of()), sample(30, List.of("bad"))));
    assertThat(all.nanos()).isEqualTo(1_000_000_000L);
    assertThat(all.shares()).containsExactly(10L, 30L);
    assertThat(all.ops()).isEqualTo(40);
    assertThat(all.bytes()).isEqualTo(4_000);
    assertThat(all.faults()).containsExactly("bad");
  }

  @Test
  void an_assignment_travels_whole() throws Exception {
    ContenderSpec spec = ContenderSpec.holdfast("redis://:secret@host", Order.FIFO);
    Workload workload = Workload.shared("run/1.0", 4, Duration.ofNanos(200_000));
    ChildAssignment back =
        ChildAssignment.decoded(ChildAssignment.of(spec, workload, folder).encoded());
    assertThat(back.spec()).isEqualTo(spec);
    assertThat(back.workload()).isEqualTo(workload);
    back.ledger().write(0, 42);
    assertThat(ProtectedCounters.inFile(folder.resolve("run-1-0.ledger"), 1).read(0)).isEqualTo(42);
  }
}
