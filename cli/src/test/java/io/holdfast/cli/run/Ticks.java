package io.holdfast.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Cli;
import io.holdfast.cli.Durations;
import io.holdfast.cli.Engine;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Onlooker;
import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A job in the crontab of five machines, period after period: when a period is over is what the
 * store says. What ran is what the commands themselves have written, each with its token.
 *
 * @param job the name, and the beginning of the names of its files
 * @param every the period: longer than it takes all machines to come, else the last is early for
 *     the next
 */
record Ticks(Path folder, Engine.Store store, Machines machines, String job, String every) {

  private static final int RAN = 0;
  private static final int DONE = 9;
  private static final int KILLED = 137;

  /** Of runs that nobody disturbs: a machine that has much to do may stand still for a while. */
  private static final String LONG_LEASE = "30s";

  /** Of runs that are killed: so long another waits until it takes over. */
  private static final String SHORT_LEASE = "6s";

  /** Exactly one run in each period: one machine ran it, four were told that it is done. */
  void undisturbed(int periods) throws Exception {
    int late = 0;
    try (Onlooker onlooker = new Onlooker(store)) {
      for (int i = 1; i <= periods; i++) {
        awaitEndOfPeriod(onlooker);
        String work = "echo " + i + " $HOLDFAST_TOKEN >>" + job + "-runs";
        List<Machines.Job> jobs = tick(LONG_LEASE, work);
        long start = System.nanoTime();
        List<Integer> codes = codes(jobs);
        boolean inTime = System.nanoTime() - start < mark().toNanos();
        late += inTime ? 0 : 1;
        assertThat(codes).as(words(i, jobs)).isSubsetOf(RAN, DONE).contains(RAN);
        assertThat(Collections.frequency(codes, RAN) == 1 || !inTime).as(words(i, jobs)).isTrue();
        assertThat(runs(i)).isEqualTo(Collections.frequency(codes, RAN));
      }
    }
    assertRising(tokens(folder.resolve(job + "-runs")));
    Figure.print(
        "%s, %s: %d periods, %d runs; in %d of the periods machines came too late to be judged",
        store.engine(), job, periods, successes().size(), late);
    assertThat(successes().size() == periods || late > 0).isTrue();
  }

  /**
   * The first runners of a period, none to two of them, are killed in the middle of their work: one
   * success in each period all the same.
   *
   * <p>In the middle, because between the end of the work and its mark nothing can help: whoever
   * takes over then does it again, as {@code docs/cli.md} says. That may also happen to a run that
   * is too slow for its lease on a busy machine, and loses it; so how many did is printed, and
   * without them each period has one run that came to its end.
   */
  void withKills(int periods, long seed) throws Exception {
    Random random = new Random(seed);
    List<String> kills = new ArrayList<>();
    int losses = 0;
    try (Onlooker onlooker = new Onlooker(store)) {
      for (int i = 1; i <= periods; i++) {
        awaitEndOfPeriod(onlooker);
        int victims = i == 1 ? 1 : random.nextInt(3);
        List<Machines.Job> jobs = tick(SHORT_LEASE, work(i, victims));
        for (int victim = 0; victim < victims; victim++) {
          kills.add(kill(i, victim, jobs, random.nextInt(600)));
        }
        List<Integer> codes = codes(jobs);
        assertThat(codes).as(words(i, jobs)).isSubsetOf(RAN, DONE, KILLED, ExitCode.LOST);
        assertThat(codes).as(words(i, jobs)).containsOnlyOnce(RAN);
        int lost = Collections.frequency(codes, ExitCode.LOST);
        losses += lost;
        assertThat(runs(i)).as(words(i, jobs)).isBetween(1, 1 + lost);
        assertRising(tokens(runners(i)));
      }
    }
    Figure.print(
        "%s, %s, seed %d: %d periods with one recorded success each, %d runs came to their end,"
            + " %d lost leases, %d kills: %s",
        store.engine(), job, seed, periods, successes().size(), losses, kills.size(), kills);
  }

  /** Tells who runs it, and works for ever if it is to be killed. */
  private String work(int period, int victims) {
    Path runners = runners(period);
    return "echo $PPID $HOLDFAST_TOKEN $$ >>%s; [ $(wc -l <%s) -gt %d ] || sleep 600; echo %d >>%s"
        .formatted(runners, runners, victims, period, job + "-runs");
  }

  private Path runners(int period) {
    return folder.resolve(job + "-runners-" + period);
  }

  /** Answers what was killed, and when. */
  private String kill(int period, int victim, List<Machines.Job> jobs, int afterMillis) {
    Path file = runners(period);
    Await.until(
        "runner " + victim + " of period " + period, Cli.LONG, () -> lines(file).size() > victim);
    String[] words = lines(file).get(victim).split(" ", -1);
    long seen = System.nanoTime();
    Await.until("the moment", Cli.LONG, () -> System.nanoTime() - seen > afterMillis * 1_000_000L);
    long runner = Long.parseLong(words[0]);
    jobs.stream().filter(each -> each.pid() == runner).findFirst().orElseThrow().kill9();
    long command = Long.parseLong(words[2]);
    Await.until("the end of what it ran", Cli.LONG, () -> isGone(command));
    return "period " + period + " process " + runner + " after " + afterMillis + " ms";
  }

  private static boolean isGone(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty()
        || ProcFiles.isZombie(pid);
  }

  private List<Machines.Job> tick(String lease, String script) throws Exception {
    String line = "cd '" + folder + "'; " + script;
    return machines.tick(
        "once",
        job,
        "--every",
        every,
        "--lease",
        lease,
        "--done-exit-code",
        "" + DONE,
        // Also if the lease of one that was killed is longer than the period.
        "--wait",
        "60s",
        "--",
        "sh",
        "-c",
        line);
  }

  private static List<Integer> codes(List<Machines.Job> jobs) {
    return jobs.stream().map(Machines.Job::awaitCode).toList();
  }

  private static String words(int period, List<Machines.Job> jobs) {
    return "period " + period + ": " + jobs.stream().map(Machines.Job::words).toList();
  }

  private void awaitEndOfPeriod(Onlooker onlooker) {
    Await.until("the end of the period", Cli.LONG, () -> !onlooker.isMarked(job));
  }

  /**
   * How long a run is done. Machines that all came and ended within that time are of one period;
   * one that came later, because it stood still, may be the first of the next.
   */
  private Duration mark() {
    Duration period = Durations.parse(every);
    return period.minus(period.dividedBy(10));
  }

  /** How often it ran in that period, by what the commands have written. */
  private int runs(int period) {
    return Collections.frequency(successes(), period);
  }

  private List<Integer> successes() {
    return lines(folder.resolve(job + "-runs")).stream()
        .map(line -> Integer.valueOf(line.split(" ", -1)[0]))
        .toList();
  }

  private static List<Long> tokens(Path file) {
    return lines(file).stream().map(line -> Long.valueOf(line.split(" ", -1)[1])).toList();
  }

  private static void assertRising(List<Long> tokens) {
    assertThat(tokens).isSorted().doesNotHaveDuplicates();
  }

  /** Those that have been written to their end. */
  private static List<String> lines(Path file) {
    String text = Cli.read(file);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }
}
