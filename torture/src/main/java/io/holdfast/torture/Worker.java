package io.holdfast.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.Health;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A worker process: some threads compete for the locks over one client. It ends at a line on its
 * standard input, or at the end of the input. It uses the public API only.
 */
public final class Worker {
  /** Where the address of the store is: not among the arguments, which everybody can see. */
  static final String STORE = "HOLDFAST_TORTURE_STORE";

  /** How long the threads may take to end, in addition to the longest wait. */
  private static final Duration LAST_ROUND = Duration.ofSeconds(15);

  private Worker() {}

  /**
   * The orders of a worker.
   *
   * @param namespace of this run
   * @param log to be written
   * @param resource the socket of the guarded resource
   */
  record Orders(
      String namespace,
      long seed,
      Duration lease,
      int threads,
      Path log,
      Path resource,
      Set<PlantedBug> planted) {

    String[] arguments() {
      return new String[] {
        namespace,
        Long.toString(seed),
        Long.toString(lease.toMillis()),
        Integer.toString(threads),
        log.toString(),
        resource.toString(),
        PlantedBug.text(planted)
      };
    }

    static Orders of(String[] words) {
      return new Orders(
          words[0],
          Long.parseLong(words[1]),
          Duration.ofMillis(Long.parseLong(words[2])),
          Integer.parseInt(words[3]),
          Path.of(words[4]),
          Path.of(words[5]),
          PlantedBug.parse(words[6]));
    }

    /** No call waits longer. */
    Duration longestWait() {
      return lease.multipliedBy(2);
    }
  }

  /** Runs until it is stopped; its exit code is 0 if everything ended. */
  public static void main(String[] arguments) throws Exception {
    Orders orders = Orders.of(arguments);
    try (BeliefLog log = new BeliefLog(orders.log)) {
      log.started(ProcessHandle.current().pid());
      boolean clean = run(orders, log);
      // Whatever thread is left must not keep the process.
      System.exit(clean ? 0 : 1);
    }
  }

  private static boolean run(Orders orders, BeliefLog log) throws Exception {
    HoldfastOptions options =
        HoldfastOptions.DEFAULTS
            .withNamespace(orders.namespace)
            .withLease(orders.lease)
            .withApp("torture");
    Holdfast holdfast = Holdfast.connect(System.getenv(STORE), options);
    Random random = new Random(orders.seed);
    List<LockThread> lockThreads = new ArrayList<>();
    for (int i = 0; i < orders.threads; i++) {
      LockThread lockThread = new LockThread(orders, holdfast, log, random.nextLong(), i);
      lockThreads.add(lockThread);
      lockThread.start();
    }
    awaitStop();
    lockThreads.forEach(LockThread::finish);
    boolean clean = true;
    long end = System.nanoTime() + orders.longestWait().toNanos() + LAST_ROUND.toNanos();
    for (LockThread lockThread : lockThreads) {
      lockThread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
      if (lockThread.isAlive()) {
        clean = false;
        log.trouble(lockThread.getName() + " did not end; it is at " + place(lockThread));
      }
    }
    Health health = holdfast.health();
    log.health(health.status().name(), health.held(), health.waiting());
    holdfast.close();
    log.ended();
    return clean;
  }

  /** A line, or the end of the process that started this one. */
  private static void awaitStop() throws IOException {
    String ignored = new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
  }

  private static String place(Thread thread) {
    StackTraceElement[] frames = thread.getStackTrace();
    return frames.length == 0 ? "its end" : frames[0].toString();
  }
}
