package io.holdfast.benchmarks.runners;

import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.LoadThreads;
import io.holdfast.cli.bench.ProtectedCounters;
import io.holdfast.cli.bench.Sample;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One process of {@code --mode processes}. Reads its assignment, says {@value #READY}, then runs a
 * round for every {@code round <number> <start in ms since 1970> <nanoseconds>} and replies with
 * {@code sample <number> <sample>}. Ends with its input, which ends with its parent.
 */
final class RaceChild {

  static final String READY = "bench child ready";

  private RaceChild() {}

  public static void main(String[] arguments) throws Exception {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      String first = in.readLine();
      if (first != null) {
        serve(ChildAssignment.decoded(first), in);
      }
    }
  }

  private static void serve(ChildAssignment assignment, BufferedReader in) throws Exception {
    ProtectedCounters ledger = assignment.ledger();
    Path folder = Path.of(assignment.folder());
    try (Contender.Session session = assignment.spec().contender().open(folder)) {
      System.out.println(READY);
      for (Command command = Command.next(in); command != null; command = Command.next(in)) {
        Sample sample =
            LoadThreads.run(
                session, ledger, assignment.workload(), command.time(), command.start());
        System.out.println(answer(command.round()) + sample.encoded());
      }
    }
  }

  /** What a parent says. */
  static String command(int round, long startMillis, Duration time) {
    return "round " + round + " " + startMillis + " " + time.toNanos();
  }

  /** The prefix of the reply. */
  static String answer(int round) {
    return "sample " + round + " ";
  }

  /** One round to run. */
  private record Command(int round, long startMillis, long nanos) {

    static @Nullable Command next(BufferedReader in) throws IOException {
      String line = in.readLine();
      if (line == null) {
        return null;
      }
      String[] words = line.split(" ", -1);
      return new Command(
          Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
    }

    Duration time() {
      return Duration.ofNanos(nanos);
    }

    /** Processes share no monotonic clock, but the wall clock of their machine. */
    long start() {
      long ahead = startMillis - System.currentTimeMillis();
      return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ahead);
    }
  }
}
