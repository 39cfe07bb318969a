package io.holdfast.benchmarks;

import io.holdfast.benchmarks.ids.IdBench;
import io.holdfast.benchmarks.runners.HotSpots;
import io.holdfast.benchmarks.suites.Goal;
import io.holdfast.benchmarks.suites.RaceFactory;
import io.holdfast.benchmarks.suites.Suite;
import io.holdfast.cli.CliException;
import io.holdfast.cli.Colours;
import io.holdfast.cli.Colours.Ink;
import io.holdfast.cli.Screen;
import io.holdfast.cli.bench.JsonReport;
import io.holdfast.cli.bench.MachineInfo;
import io.holdfast.cli.bench.Profiler;
import io.holdfast.cli.bench.Race;
import io.holdfast.cli.bench.RaceResult;
import io.holdfast.cli.bench.ResultTable;
import io.holdfast.cli.bench.RoundRunner;
import io.holdfast.cli.bench.SvgChart;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Entry point of the benchmarks; see {@link HelpText}. */
public final class Bench {

  private static final int FAILED = 1;

  // The same codes as the program has.
  private static final int BAD_OPTION = 64;

  private final PrintStream out;
  private final PrintStream err;
  private final Colours colours;

  Bench(PrintStream out, PrintStream err, Colours colours) {
    this.out = out;
    this.err = err;
    this.colours = colours;
  }

  /** Runs and exits. */
  public static void main(String[] arguments) throws Exception {
    List<String> words = List.of(arguments);
    if (!words.isEmpty() && words.get(0).equals("--jmh")) {
      org.openjdk.jmh.Main.main(words.subList(1, words.size()).toArray(new String[0]));
      return;
    }
    if (!words.isEmpty() && words.get(0).equals("ids")) {
      System.exit(ids(words.subList(1, words.size())));
    }
    System.exit(new Bench(System.out, System.err, Screen.out().colours()).run(words));
  }

  /** Ids have no locks to take: their suite has its own races, and two options. */
  private static int ids(List<String> words) throws Exception {
    boolean check = words.contains("--check");
    boolean quick = words.contains("--quick");
    if (words.size() != (check ? 1 : 0) + (quick ? 1 : 0)) {
      System.err.println("bench: the suite ids has the options --quick and --check: " + words);
      return BAD_OPTION;
    }
    System.out.println("On " + MachineInfo.now().text() + ".");
    boolean passed = IdBench.run(System.out, quick ? 3 : 7, Duration.ofMillis(quick ? 200 : 1000));
    return check && !passed ? FAILED : 0;
  }

  /** Runs and returns the exit code. */
  int run(List<String> words) throws Exception {
    try (RunFolder folder = RunFolder.create();
        RunServers servers = new RunServers(folder.path())) {
      BenchOptions options = BenchOptions.parse(words);
      if (options.help()) {
        out.print(HelpText.TEXT);
        return 0;
      }
      options.stores().forEach(StoreCheck::require);
      RaceFactory factory = new RaceFactory(folder.path(), servers::uri);
      if (options.suite().isPresent()) {
        Suite suite = options.suite().get();
        String store = suite.store().map(kind -> factory.store(options.stores(), kind)).orElse("");
        List<Race> races =
            suite.races(
                factory, store, options.setup().time(), options.setup().rounds(), options.only());
        return run(options, races, suite.goals(options.only()));
      }
      Race race = factory.of(options.stores(), options.peers(), options.order(), options.setup());
      return run(options, List.of(race), List.of());
    } catch (CliException e) {
      err.println("bench: " + e.getMessage());
      return e.exitCode();
    }
  }

  /** Runs races, prints and writes the results; returns the exit code. */
  int run(BenchOptions options, List<Race> races, List<Goal> goals) throws Exception {
    ProgressLine progress = new ProgressLine(err, colours);
    double seconds = races.stream().mapToDouble(Race::seconds).sum();
    MachineInfo machine = MachineInfo.now();
    out.println(colours.paint(Ink.FAINT, "About %.0f s on %s.".formatted(seconds, machine.text())));
    ResultTable table = new ResultTable(colours);
    List<RaceResult> rows = new ArrayList<>();
    for (Race race : races) {
      RaceResult row = race.run(progress::say, options.profile() ? this::profile : Profiler.NONE);
      progress.clear();
      out.println();
      out.print(table.of(row));
      rows.add(row);
    }
    List<Goal.Verdict> verdicts = goals.stream().map(goal -> goal.judge(rows)).toList();
    print(verdicts);
    write(
        options,
        JsonReport.of(machine, rows, verdicts.stream().map(Goal.Verdict::json).toList()),
        SvgChart.of(rows));
    boolean broken = rows.stream().anyMatch(RaceResult::hasFaults);
    boolean missed = options.check() && !verdicts.stream().allMatch(Goal.Verdict::passed);
    return broken || missed ? FAILED : 0;
  }

  private void profile(String name, RoundRunner runner, Duration time) throws Exception {
    String spots = HotSpots.of(runner, time).text();
    out.println();
    out.println(colours.paint(Ink.BOLD, "profile of " + name));
    out.print(spots);
  }

  private void print(List<Goal.Verdict> verdicts) {
    if (!verdicts.isEmpty()) {
      out.println();
      out.println(colours.paint(Ink.BOLD, "bars"));
    }
    for (Goal.Verdict verdict : verdicts) {
      out.println(
          verdict.passed()
              ? colours.paint(Ink.GOOD, verdict.text())
              : colours.paint(Ink.BAD, verdict.text()));
    }
  }

  private static void write(BenchOptions options, String json, String svg) throws IOException {
    if (options.json().isPresent()) {
      Files.writeString(options.json().get(), json);
    }
    if (options.svg().isPresent()) {
      Files.writeString(options.svg().get(), svg);
    }
  }
}
