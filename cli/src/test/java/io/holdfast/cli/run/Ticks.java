package io.holdfast.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Cli;
import io.holdfast.cli.Engine;
import io.holdfast.cli.Onlooker;
import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Five machines whose cron starts the same job at the same second, period after period: when a
 * period is over is what the store says.
 */
final class Ticks {

  private static final int MACHINES = 5;

  private final Path folder;
  private final Engine.Store store;
  private final String every;
  private final List<String> kills = new ArrayList<>();

  Ticks(Path folder, Engine.Store store, String every) {
    this.folder = folder;
    this.store = store;
    this.every = every;
  }

  /** Exactly one run in each period. */
  void undisturbed(int periods) throws Exception {
    try (Onlooker onlooker = new Onlooker(store)) {
      for (int i = 1; i <= periods; i++) {
        List<Cli> machines = start("echo ok " + i + " >>runs");
        int others = 0;
        for (Cli machine : machines) {
          assertThat(machine.awaitExit()).as(machine.err()).isZero();
          others += machine.err().contains("has been done in this period") ? 1 : 0;
        }
        assertThat(others).isEqualTo(MACHINES - 1);
        awaitEndOfPeriod(onlooker);
      }
    }
    assertThat(successes()).isEqualTo(expected(periods));
    Figure.print("%s: %d periods, %d runs", store.engine(), periods, successes().size());
  }

  /** The runner is killed in the middle of about every second run. */
  void withKills(int periods, long seed) throws Exception {
    Random random = new Random(seed);
    try (Onlooker onlooker = new Onlooker(store)) {
      for (int i = 1; i <= periods; i++) {
        List<Cli> machines =
            start(
                "echo $PPID $HOLDFAST_TOKEN >runner-" + i + "; sleep 1; echo ok " + i + " >>runs");
        if (i == 1 || random.nextBoolean()) {
          killRunner(i, machines, random.nextInt(600));
        }
        machines.forEach(Cli::awaitExit);
        awaitEndOfPeriod(onlooker);
      }
    }
    Figure.print(
        "%s, seed %d: %d periods, %d recorded successes, %d kills: %s",
        store.engine(), seed, periods, successes().size(), kills.size(), kills);
    assertThat(successes()).isEqualTo(expected(periods));
  }

  private void killRunner(int period, List<Cli> machines, int afterMillis) {
    Path file = folder.resolve("runner-" + period);
    String[] words = Cli.awaitLine(file).split(" ", -1);
    long seen = System.nanoTime();
    Await.until("the moment", Cli.LONG, () -> System.nanoTime() - seen > afterMillis * 1_000_000L);
    for (Cli machine : machines) {
      if (machine.pid() == Long.parseLong(words[0])) {
        machine.kill9();
        kills.add("period " + period + ": process " + words[0] + " after " + afterMillis + " ms");
      }
    }
  }

  private List<Cli> start(String script) {
    List<Cli> machines = new ArrayList<>();
    for (int i = 0; i < MACHINES; i++) {
      machines.add(
          Cli.Setup.in(folder)
              .at(store.uri())
              .start(
                  "once",
                  "job",
                  "--every",
                  every,
                  "--lease",
                  "4s",
                  "--",
                  "sh",
                  "-c",
                  "cd '" + folder + "'; " + script));
    }
    return machines;
  }

  private static void awaitEndOfPeriod(Onlooker onlooker) {
    Await.until("the end of the period", Cli.LONG, () -> !onlooker.isMarked("job"));
  }

  private List<String> successes() {
    return Cli.read(folder.resolve("runs")).lines().toList();
  }

  private static List<String> expected(int periods) {
    List<String> lines = new ArrayList<>();
    for (int i = 1; i <= periods; i++) {
      lines.add("ok " + i);
    }
    return lines;
  }
}
