package io.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleTest {

  @TempDir Path folder;

  @Test
  void counters_are_seen_by_all_that_open_their_file() throws Exception {
    ProtectedCounters one = ProtectedCounters.inFile(folder.resolve("a.ledger"), 1);
    ProtectedCounters other = ProtectedCounters.inFile(folder.resolve("a.ledger"), 1);
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
}
