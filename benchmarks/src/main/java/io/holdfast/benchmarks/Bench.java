package io.holdfast.benchmarks;

import io.holdfast.benchmarks.ids.IdBench;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The benchmarks' front door; see {@link Usage}. */
public final class Bench {

  private static final int FAILED = 1;

  // The same codes as the program has.
  private static final int BAD_OPTION = 64;
  private static final int STORE = 69;

  private final PrintStream out;
  private final PrintStream err;
  private final Ink ink;

  Bench(PrintStream out, PrintStream err, Ink ink) {
    this.out = out;
    this.err = err;
    this.ink = ink;
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
    System.exit(new Bench(System.out, System.err, Ink.ofThisProcess()).run(words));
  }

  /** Ids have no locks to take: their suite has its own races, and two options. */
  private static int ids(List<String> words) throws Exception {
    boolean check = words.contains("--check");
    boolean quick = words.contains("--quick");
    if (words.size() != (check ? 1 : 0) + (quick ? 1 : 0)) {
      System.err.println("bench: the suite ids has the options --quick and --check: " + words);
      return BAD_OPTION;
    }
    System.out.println("On " + Machine.now().text() + ".");
    boolean passed = IdBench.run(System.out, quick ? 3 : 7, Duration.ofMillis(quick ? 200 : 1000));
    return check && !passed ? FAILED : 0;
  }

  /** Runs; answers the exit code. */
  int run(List<String> words) throws Exception {
    try (RunFolder folder = RunFolder.create();
        OwnServers servers = new OwnServers(folder.path())) {
      Options options = Options.parse(words);
      if (options.help()) {
        out.print(Usage.TEXT);
        return 0;
      }
      for (String store : options.stores()) {
        Optional<String> trouble = GivenStore.trouble(store);
        if (trouble.isPresent()) {
          err.println("bench: " + trouble.get());
          return STORE;
        }
      }
      Lineup lineup = new Lineup(folder.path(), servers::uri);
      if (options.suite().isPresent()) {
        Suite suite = options.suite().get();
        return run(options, suite.races(lineup, options), suite.goals(options));
      }
      return run(options, List.of(lineup.of(options)), List.of());
    } catch (BadOptionException e) {
      err.println("bench: " + e.getMessage());
      return BAD_OPTION;
    }
  }

  /** Runs races, prints and writes what came out; answers the exit code. */
  int run(Options options, List<Race> races, List<Goal> goals) throws Exception {
    Progress progress = new Progress(err, ink);
    double seconds = races.stream().mapToDouble(Race::seconds).sum();
    Machine machine = Machine.now();
    out.println(ink.faint("About %.0f s on %s.".formatted(seconds, machine.text())));
    Table table = new Table(ink);
    List<Row> rows = new ArrayList<>();
    for (Race race : races) {
      Row row = race.run(progress::say, options.profile() ? this::profile : Profile.NONE);
      progress.clear();
      out.println();
      out.print(table.of(row));
      rows.add(row);
    }
    List<Goal.Verdict> verdicts = goals.stream().map(goal -> goal.judge(rows)).toList();
    print(verdicts);
    write(options, JsonReport.of(machine, rows, verdicts), SvgChart.of(rows));
    boolean broken = rows.stream().anyMatch(Row::hasFaults);
    boolean missed = options.check() && !verdicts.stream().allMatch(Goal.Verdict::passed);
    return broken || missed ? FAILED : 0;
  }

  private void profile(String name, Runner runner, Duration time) throws Exception {
    String spots = HotSpots.of(runner, time).text();
    out.println();
    out.println(ink.bold("profile of " + name));
    out.print(spots);
  }

  private void print(List<Goal.Verdict> verdicts) {
    if (!verdicts.isEmpty()) {
      out.println();
      out.println(ink.bold("bars"));
    }
    for (Goal.Verdict verdict : verdicts) {
      out.println(verdict.passed() ? ink.good(verdict.text()) : ink.bad(verdict.text()));
    }
  }

  private static void write(Options options, String json, String svg) throws IOException {
    if (options.json().isPresent()) {
      Files.writeString(options.json().get(), json);
    }
    if (options.svg().isPresent()) {
      Files.writeString(options.svg().get(), svg);
    }
  }
}
