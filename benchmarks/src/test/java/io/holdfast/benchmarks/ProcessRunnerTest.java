package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessRunnerTest {

  private static final Duration SHORT = Duration.ofMillis(200);

  @TempDir Path folder;

  @Test
  void two_processes_share_a_name_and_end_with_the_runner() throws Exception {
    Workload workload = Workload.shared("run/name", 2, Duration.ZERO);
    long before = ProcessHandle.current().children().filter(ProcessHandle::isAlive).count();
    try (Runner runner = ProcessRunner.start(Entrant.peer(Peers.FILE_LOCK), workload, 2, folder)) {
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
    try (Runner runner = ProcessRunner.start(Entrant.peer(Peers.REENTRANT), workload, 2, folder)) {
      Sample sample = runner.run(SHORT);
      assertThat(sample.faults()).isEmpty();
      assertThat(sample.shares()).hasSize(2).allMatch(share -> share > 0);
    }
  }

  @Test
  void a_lock_that_ends_at_the_process_loses_updates() throws Exception {
    Workload workload = Workload.shared("run/name", 1, Duration.ofNanos(50_000));
    try (Runner runner = ProcessRunner.start(Entrant.peer(Peers.REENTRANT), workload, 2, folder)) {
      List<String> faults = runner.run(SHORT).faults();
      // On a busy machine one process may have its turn when the other has ended.
      for (int again = 0; faults.isEmpty() && again < 20; again++) {
        faults = runner.run(SHORT).faults();
      }
      assertThat(faults).singleElement().asString().startsWith("lost updates: ");
    }
  }

  @Test
  void a_ledger_is_seen_by_all_that_open_its_file() throws Exception {
    Ledger one = Ledger.inFile(folder.resolve("a.ledger"), 1);
    Ledger other = Ledger.inFile(folder.resolve("a.ledger"), 1);
    one.write(0, 42);
    assertThat(other.read(0)).isEqualTo(42);
    assertThat(other.rises(0, 7)).isTrue();
    assertThat(one.rises(0, 7)).isFalse();
  }

  @Test
  void samples_travel_as_one_line() {
    Sample sample = Samples.second(10, 5_000, List.of("a\nfault"));
    String line = sample.encoded();
    assertThat(line).doesNotContain("\n");
    Sample back = Sample.decoded(line);
    assertThat(back.nanos()).isEqualTo(sample.nanos());
    assertThat(back.ops()).isEqualTo(10);
    assertThat(back.shares()).containsExactly(5L, 5L);
    assertThat(back.bytes()).isEqualTo(1_000);
    assertThat(back.cpu()).isEqualTo(5_000);
    assertThat(back.faults()).containsExactly("a\nfault");
  }

  @Test
  void processes_together_are_as_long_as_the_longest_and_have_a_share_each() {
    Sample all =
        ProcessRunner.together(
            List.of(Samples.second(10), Samples.second(30, 9_000, List.of("bad"))));
    assertThat(all.nanos()).isEqualTo(1_000_000_000L);
    assertThat(all.shares()).containsExactly(10L, 30L);
    assertThat(all.ops()).isEqualTo(40);
    assertThat(all.bytes()).isEqualTo(4_000);
    assertThat(all.faults()).containsExactly("bad");
  }

  @Test
  void an_assignment_travels_whole() throws Exception {
    Entrant entrant = Entrant.holdfast("redis://:secret@host", Order.FIFO);
    Workload workload = Workload.shared("run/1.0", 4, Duration.ofNanos(200_000));
    Assignment back = Assignment.decoded(Assignment.of(entrant, workload, folder).encoded());
    assertThat(back.entrant()).isEqualTo(entrant);
    assertThat(back.workload()).isEqualTo(workload);
    back.ledger().write(0, 42);
    assertThat(Ledger.inFile(folder.resolve("run-1-0.ledger"), 1).read(0)).isEqualTo(42);
  }
}
