package io.holdfast.cli.commands.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.CliProcess;
import io.holdfast.cli.Durations;
import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.StoreObserver;
import io.holdfast.cli.commands.run.RandomKills.Moment;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A job in the crontab of five machines, period after period: when a period is over is what the
 * store says. What ran is what the commands themselves have written, each with its token.
 *
 * @param job the name, and the beginning of the names of its files
 * @param every the period: longer than it takes all machines to come, else the last is early for
 *     the next
 */
record CronJob(
    Path folder, EngineWithServer.Store store, Machines machines, String job, String every) {

  private static final int RAN = 0;
  private static final int DONE = 9;
  private static final int KILLED = 137;

  private static final int MOST_LATE_PERCENT = 5;

  /** Of runs that nobody disturbs: a machine that has much to do may stand still for a while. */
  private static final String LONG_LEASE = "30s";

  /** Of runs that are killed: so long another waits until it takes over. */
  private static final String SHORT_LEASE = "6s";

  /**
   * Exactly one run in each period: one machine ran it, four saw that it is done. A machine that
   * comes so late that it may be of the next period cannot be judged if it runs too; but that may
   * not be so in more than a few periods.
   */
  void undisturbed(int periods) throws Exception {
    int late = 0;
    try (StoreObserver onlooker = new StoreObserver(store)) {
      for (int i = 1; i <= periods; i++) {
        awaitEndOfPeriod(onlooker);
        List<Machines.Job> jobs = tick(LONG_LEASE, end(i));
        long start = System.nanoTime();
        List<Integer> codes = codes(jobs);
        boolean inTime = System.nanoTime() - start < mark().toNanos();
        int ran = Collections.frequency(codes, RAN);
        assertThat(codes).as(words(i, jobs)).isSubsetOf(RAN, DONE).contains(RAN);
        assertThat(ran == 1 || !inTime).as(words(i, jobs)).isTrue();
        assertThat(runs(i)).isEqualTo(ran);
        late += ran == 1 ? 0 : 1;
      }
    }
    assertRising(ends().stream().map(End::token).toList());
    Figure.print("%s, %s: %d periods, %d runs", store.engine(), job, periods, ends().size());
    Figure.lateAtMost(
        periods * MOST_LATE_PERCENT / 100,
        late,
        store.engine()
            + ", "
            + job
            + ": periods with another run by a machine that came too late to be judged");
  }

  /**
   * One or two machines are killed in each period, at any moment of their lives: one success is
   * recorded in each all the same.
   *
   * <p>Between the end of the work and its mark nothing can help: the machine that takes over then
   * does it again, as {@code docs/cli.md} says. That may also happen to a run that is too slow for
   * its lease on a busy machine, and loses it. So a run that came to its end and is not the
   * recorded one must be of a machine that was killed or that lost its lease.
   */
  void withKills(int periods, long seed) throws Exception {
    RandomKills kills = new RandomKills(seed, machines.lifeMillis(), this::runners);
    List<String> killed = new ArrayList<>();
    int losses = 0;
    try (StoreObserver onlooker = new StoreObserver(store)) {
      for (int i = 1; i <= periods; i++) {
        awaitEndOfPeriod(onlooker);
        List<Integer> codes = withKills(i, kills, killed, onlooker);
        losses += Collections.frequency(codes, ExitCode.LOST);
      }
    }
    Figure.print(
        "%s, %s, seed %d: %d periods with one recorded success each, %d runs came to their end,"
            + " %d lost leases, %d kills: %s",
        store.engine(), job, seed, periods, ends().size(), losses, killed.size(), killed);
  }

  private List<Integer> withKills(
      int period, RandomKills kills, List<String> killed, StoreObserver onlooker) throws Exception {
    List<RandomKills.Kill> drawn = kills.draw(period);
    long endless = drawn.stream().filter(each -> each.moment() == Moment.WORKING).count();
    List<Machines.Job> jobs = tick(SHORT_LEASE, work(period, endless));
    long tick = System.nanoTime();
    int most = Integer.MAX_VALUE;
    for (RandomKills.Kill kill : drawn) {
      String what = kills.carryOut(kill, period, jobs, tick);
      boolean marked = onlooker.isMarked(job);
      most = marked ? Math.min(most, runners(period).size()) : most;
      killed.add(what + (marked ? ", marked" : ", not marked"));
    }
    List<Integer> codes = codes(jobs);
    boolean inTime = System.nanoTime() - tick < mark().toNanos();
    judge(period, jobs, codes);
    // Who came in while the mark stood would have run it twice.
    assertThat(runners(period).size() <= most || !inTime).as(killed.toString()).isTrue();
    return codes;
  }

  /** One success is recorded: that of the last run, whose machine says so unless it was killed. */
  private void judge(int period, List<Machines.Job> jobs, List<Integer> codes) {
    String words = words(period, jobs) + codes;
    assertThat(codes).as(words).isSubsetOf(RAN, DONE, KILLED, ExitCode.LOST);
    List<Long> recorded = withCode(jobs, codes, RAN);
    List<Long> fallen = new ArrayList<>(withCode(jobs, codes, KILLED));
    List<Long> ended = ends().stream().filter(e -> e.period() == period).map(End::process).toList();
    assertThat(ended).as(words).isNotEmpty();
    if (recorded.isEmpty()) {
      // It was killed after its mark was made: the others have seen that it is done.
      assertThat(codes).as(words).contains(DONE);
      assertThat(fallen).as(words).contains(ended.get(ended.size() - 1));
    } else {
      assertThat(recorded).as(words).containsExactly(ended.get(ended.size() - 1));
      fallen.addAll(withCode(jobs, codes, ExitCode.LOST));
      assertThat(fallen).as(words).containsAll(ended.subList(0, ended.size() - 1));
    }
    assertRising(runners(period).stream().map(RandomKills.Runner::token).toList());
  }

  private static List<Long> withCode(List<Machines.Job> jobs, List<Integer> codes, int code) {
    return IntStream.range(0, jobs.size())
        .filter(i -> codes.get(i) == code)
        .mapToObj(i -> jobs.get(i).pid())
        .toList();
  }

  /** Records which machine runs it; the first machines work for ever, and are killed then. */
  private String work(int period, long endless) {
    String runners = job + "-runners-" + period;
    return "echo $PPID $HOLDFAST_TOKEN $$ >>%s; [ $(wc -l <%s) -gt %d ] || sleep 600; %s"
        .formatted(runners, runners, endless, end(period));
  }

  private List<RandomKills.Runner> runners(int period) {
    return lines(folder.resolve(job + "-runners-" + period)).stream()
        .map(RandomKills.Runner::of)
        .toList();
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
        // Also if the lease of a killed machine is longer than the period.
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

  private void awaitEndOfPeriod(StoreObserver onlooker) {
    Await.until(
        "the end of the period",
        CliProcess.LONG,
        () -> !onlooker.isMarked(job) && !isMarkedForNewcomers());
  }

  /**
   * A store that counts in whole seconds may tell those of a mark for a second more who have not
   * seen it before, as machines have not that begin anew.
   */
  private boolean isMarkedForNewcomers() {
    try (StoreObserver newcomer = new StoreObserver(store)) {
      return newcomer.isMarked(job);
    }
  }

  /**
   * How long a run is done. Machines that all came and ended within that time are of one period; a
   * machine that came later, because it was paused, may be the first of the next.
   */
  private Duration mark() {
    Duration period = Durations.parse(every);
    return period.minus(period.dividedBy(10));
  }

  /** A run that came to its end, by what its command has written. */
  private record End(int period, long token, long process) {

    static End of(String line) {
      String[] words = line.split(" ", -1);
      return new End(
          Integer.parseInt(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
    }
  }

  private String end(int period) {
    return "echo " + period + " $HOLDFAST_TOKEN $PPID >>" + job + "-runs";
  }

  private List<End> ends() {
    return lines(folder.resolve(job + "-runs")).stream().map(End::of).toList();
  }

  /** How often it ran in that period. */
  private long runs(int period) {
    return ends().stream().filter(each -> each.period() == period).count();
  }

  private static void assertRising(List<Long> tokens) {
    assertThat(tokens).isSorted().doesNotHaveDuplicates();
  }

  /** The complete ones. */
  private static List<String> lines(Path file) {
    String text = CliProcess.read(file);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }
}
