package io.holdfast.cli.commands.run;

import io.holdfast.cli.CliProcess;
import io.holdfast.rig.time.Await;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Kills of machines with -9 while they run a job, at moments that are drawn from a seed. */
final class RandomKills {

  /** Where in the life of a line it is hit. */
  enum Moment {
    /** A runner, in the middle of work that would never end. */
    WORKING,
    /** Any machine, from its start to its end: while it connects, asks, waits or runs. */
    ANY,
    /** The runner of work that ends at once: while the command ends, or while its mark is made. */
    MARKING
  }

  /**
   * One kill.
   *
   * @param victim the number of a machine; of the runners of this period if it is to run
   * @param afterMillis from the tick; from the beginning of the work if it is to run
   */
  record Kill(Moment moment, int victim, int afterMillis) {}

  /** A runner of a period: its process, its token, and the process of its command. */
  record Runner(long process, long token, long command) {

    static Runner of(String line) {
      String[] words = line.split(" ", -1);
      return new Runner(
          Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
    }
  }

  private static final int WORK_MILLIS = 600;
  private static final int MARKING_MILLIS = 80;

  private final Random random;
  private final int lifeMillis;
  private final IntFunction<List<Runner>> runners;

  /**
   * Nobody is killed yet.
   *
   * @param lifeMillis how long a line usually takes, from its start to its code
   * @param runners those of a period so far
   */
  RandomKills(long seed, int lifeMillis, IntFunction<List<Runner>> runners) {
    this.random = new Random(seed);
    this.lifeMillis = lifeMillis;
    this.runners = runners;
  }

  /** The next period's, one or two. All moments come in turn. */
  List<Kill> draw(int period) {
    Moment moment = Moment.values()[(period - 1) % Moment.values().length];
    int count = 1 + random.nextInt(2);
    return switch (moment) {
      case WORKING ->
          Stream.iterate(0, i -> i + 1)
              .limit(count)
              .map(i -> new Kill(moment, i, random.nextInt(WORK_MILLIS)))
              .toList();
      case ANY ->
          random
              .ints(0, Machines.COUNT)
              .distinct()
              .limit(count)
              .mapToObj(machine -> new Kill(moment, machine, random.nextInt(lifeMillis)))
              .sorted(Comparator.comparingInt(Kill::afterMillis))
              .toList();
      case MARKING -> List.of(new Kill(moment, 0, random.nextInt(MARKING_MILLIS)));
    };
  }

  /**
   * Kills, and returns when nothing of it is left; returns what was killed, and when.
   *
   * @param tick when the lines were started
   */
  String carryOut(Kill kill, int period, List<Machines.Job> jobs, long tick) {
    boolean any = kill.moment() == Moment.ANY;
    Machines.Job job = any ? jobs.get(kill.victim()) : runner(kill.victim(), period, jobs);
    long from = any ? tick : System.nanoTime();
    Await.until(
        "the moment",
        CliProcess.LONG,
        () -> System.nanoTime() - from >= kill.afterMillis() * 1_000_000L);
    job.kill9();
    Await.until("the end of " + job.pid(), CliProcess.LONG, () -> isGone(job.pid()));
    Await.until(
        "the end of what it ran",
        CliProcess.LONG,
        () ->
            runners.apply(period).stream()
                .filter(each -> each.process() == job.pid())
                .allMatch(each -> isGone(each.command())));
    return "period %d process %d %s after %d ms"
        .formatted(period, job.pid(), kill.moment(), kill.afterMillis());
  }

  private Machines.Job runner(int number, int period, List<Machines.Job> jobs) {
    Await.until(
        "runner " + number + " of period " + period,
        CliProcess.LONG,
        () -> runners.apply(period).size() > number);
    long process = runners.apply(period).get(number).process();
    return jobs.stream().filter(each -> each.pid() == process).findFirst().orElseThrow();
  }

  private static boolean isGone(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty()
        || ProcFiles.isZombie(pid);
  }
}
