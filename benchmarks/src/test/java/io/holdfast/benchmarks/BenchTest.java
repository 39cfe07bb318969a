package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.benchmarks.peers.Peers;
import io.holdfast.benchmarks.runners.HeldRunner;
import io.holdfast.benchmarks.suites.Goal;
import io.holdfast.cli.Colours;
import io.holdfast.cli.bench.ConnectionCount;
import io.holdfast.cli.bench.LoadMode;
import io.holdfast.cli.bench.Race;
import io.holdfast.cli.bench.RaceEntry;
import io.holdfast.cli.bench.RaceSetup;
import io.holdfast.cli.bench.RoundRunner;
import io.holdfast.cli.bench.Sample;
import io.holdfast.cli.bench.ThreadRunner;
import io.holdfast.cli.bench.WaitTimes;
import io.holdfast.cli.bench.Workload;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchTest {

  private static final RaceSetup SHORT = RaceSetup.of(LoadMode.SHARED, 4, Duration.ofMillis(50), 1);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Bench bench =
      new Bench(
          new PrintStream(out, true, StandardCharsets.UTF_8),
          new PrintStream(err, true, StandardCharsets.UTF_8),
          Colours.OFF);

  @TempDir Path folder;

  /** Reports 20 grants a second, each after 1 us. */
  private static final class TwentyPerSecond implements RoundRunner {
    @Override
    public Sample run(Duration time) {
      WaitTimes waits = WaitTimes.none();
      for (int i = 0; i < 20; i++) {
        waits.add(1_000);
      }
      return new Sample(1_000_000_000L, waits, List.of(10L, 10L), 0, 0, List.of(), Map.of());
    }

    @Override
    public void close() {}
  }

  private int run(String line) throws Exception {
    return bench.run(List.of(line.split(" ")));
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void a_run_prints_a_table_and_writes_its_files() throws Exception {
    Path json = folder.resolve("a.json");
    Path svg = folder.resolve("a.svg");
    int code =
        run(
            "--mode shared --threads 4 --seconds 0.05 --rounds 1 --section 5us --json %s --svg %s"
                .formatted(json, svg));
    assertThat(code).isZero();
    assertThat(printed())
        .contains("one name, 4 threads, 5 us in the section")
        .contains("1 alternating rounds of 50 ms after one of 250 ms to warm up")
        .contains("holdfast memory: any")
        .contains("reentrant (floor)")
        .doesNotContain("BROKEN")
        .doesNotContain("\u001b");
    assertThat(json).content().contains("\"opsPerSecond\"");
    assertThat(svg).content().startsWith("<svg");
    assertThat(err.size()).isZero();
  }

  @Test
  void a_broken_contender_fails_the_run() throws Exception {
    RaceEntry open =
        new RaceEntry(
            "open door",
            false,
            () ->
                new ThreadRunner(
                    new BrokenLock(), Workload.shared("name", 4, Duration.ofNanos(20_000))));
    int code =
        bench.run(
            BenchOptions.parse(List.of("--mode", "shared")),
            List.of(new Race("one name", SHORT, List.of(open))),
            List.of());
    assertThat(code).isEqualTo(1);
    assertThat(printed()).contains("BROKEN  open door: lost updates: ");
  }

  @Test
  void a_missed_bar_fails_the_run_only_when_checked() throws Exception {
    RaceEntry fake = new RaceEntry("fake", false, TwentyPerSecond::new);
    Race race = new Race("race", SHORT, List.of(fake));
    Goal missed = new Goal("race", "fake", 1_000_000);
    Goal reached = new Goal("race", "fake", 20);
    BenchOptions plain = BenchOptions.parse(List.of());
    BenchOptions check = BenchOptions.parse(List.of("--check"));

    assertThat(bench.run(plain, List.of(race), List.of(missed))).isZero();
    assertThat(bench.run(check, List.of(race), List.of(missed))).isEqualTo(1);
    assertThat(bench.run(check, List.of(race), List.of(reached))).isZero();
    assertThat(printed())
        .contains("FAIL  race, fake: 20/s, bar 1,000,000/s, longest wait 1 us")
        .contains("PASS  race, fake: 20/s, bar 20/s, longest wait 1 us");
  }

  @Test
  void a_bar_whose_row_was_not_run_is_missed() {
    assertThat(new Goal("race", "fake", 1).judge(List.of()).passed()).isFalse();
  }

  @Test
  void held_locks_are_summed_up() throws Exception {
    RaceEntry held =
        new RaceEntry(
            "held",
            false,
            () ->
                new HeldRunner(
                    Peers.named(Peers.REENTRANT).open(folder),
                    "name",
                    10,
                    2,
                    ConnectionCount.unknown()));
    Race race = new Race("held", SHORT, List.of(held));
    assertThat(bench.run(BenchOptions.parse(List.of()), List.of(race), List.of())).isZero();
    assertThat(printed()).containsPattern("held: [0-9]+ threads in the process, taken at ");
    assertThat(printed()).contains(" 10 still held at the end");
  }

  @Test
  void the_profile_names_methods() throws Exception {
    assertThat(run("--threads 1 --seconds 0.2 --rounds 1 --profile")).isZero();
    assertThat(printed())
        .contains("profile of holdfast memory: any")
        .contains("io.holdfast.")
        .contains("allocated classes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "redis --threads 2 | the suite redis has its own races",
        "--peers --store redis://h --threads 2 | the suite redis has its own races",
        "--peers=a --peers=b | --peers must be given once",
        "--threads 2 --mode both | --mode must be one of",
        "--store redis: --rounds 0 | --rounds must be a whole number",
        "--store - | --store - needs a URI in HOLDFAST_STORE",
        "--store memory: --store memory:x --rounds 0 | --rounds must be a whole number",
        "--json f --rounds 0 | --rounds must be a whole number",
        "rediss | no such option: rediss"
      })
  void what_the_launcher_passes_on_is_understood(String line, String said) throws Exception {
    assertThat(run(line)).isEqualTo(64);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("bench: ", said);
  }

  @Test
  void bad_options_end_with_64_and_one_line() throws Exception {
    assertThat(run("--threads 0")).isEqualTo(64);
    assertThat(run("--mode processes --store memory:")).isEqualTo(64);
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("bench: --"));
  }

  @Test
  void a_store_that_is_down_ends_it_with_69_and_one_line() throws Exception {
    assertThat(run("--threads 1 --store redis://127.0.0.1:1")).isEqualTo(69);
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .hasSize(1)
        .allMatch(line -> line.startsWith("bench: redis://127.0.0.1:1 does not reply"));
    assertThat(run("--threads 1 --store redis://127.0.0.1:1?fast")).isEqualTo(64);
  }

  @Test
  void help_names_every_option_and_peer() throws Exception {
    assertThat(run("--help")).isZero();
    assertThat(printed()).startsWith("Usage: ./holdfast bench [--store URI]");
    assertThat(printed())
        .contains("--store", "--peers", "--order", "--mode", "--threads", "--processes", "--held")
        .contains("--section", "--seconds", "--rounds", "--profile", "--json", "--svg", "--check")
        .contains("--jmh", Peers.REENTRANT, Peers.REENTRANT_FAIR, Peers.FILE_LOCK)
        .contains("--only", "redis:")
        .contains(Peers.names());
  }

  @Test
  void the_folder_of_a_run_goes_with_it() throws Exception {
    Path path;
    try (RunFolder run = RunFolder.create()) {
      path = run.path();
      Files.writeString(path.resolve("a.lock"), "");
    }
    assertThat(path).doesNotExist();
  }
}
