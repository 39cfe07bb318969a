package io.holdfast.benchmarks.runners;

import io.holdfast.cli.bench.Contender;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;

/**
 * One process of {@code --mode cold}. Reads its assignment, connects, takes one lock, gives it
 * back, and says {@value #GRANTED} with the nanoseconds from before the connecting until it had the
 * lock.
 */
final class ColdStartChild {

  static final String GRANTED = "bench cold granted ";

  private ColdStartChild() {}

  public static void main(String[] arguments) throws Exception {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      ChildAssignment assignment = ChildAssignment.decoded(Objects.requireNonNull(in.readLine()));
      long start = System.nanoTime();
      Path folder = Path.of(assignment.folder());
      try (Contender.Session session = assignment.spec().contender().open(folder)) {
        Contender.Caller caller = session.caller();
        long token = caller.acquire(assignment.names().get(0));
        long granted = System.nanoTime();
        caller.release();
        System.out.println(GRANTED + (granted - start) + " " + token);
      }
    }
  }
}
