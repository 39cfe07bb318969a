package io.holdfast.rig.clients;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.history.Trace;
import io.holdfast.rig.history.TracedHold;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The program of a {@link WorkerJvm}: executes the commands from its standard input. Each line runs
 * on a thread of its own; the program writes a history. It knows {@code acquire LOCK HOLD MILLIS},
 * {@code pass LOCK HOLD MILLIS} (and release at once), {@code placed HOLD} (the test saw its place
 * in the store), {@code release HOLD}, {@code sections LOCK COUNT MILLIS} and {@code counter NAME}
 * (of its health). Tests of an engine may teach it more.
 */
public final class LockWorker {

  private static final long LOOK_MILLIS = 5;

  /** What a line makes it do. */
  @FunctionalInterface
  public interface Task {
    /** Does it; what it throws is said. The words are those of the line. */
    void run(String... words) throws Exception;
  }

  private final HistoryWriter history;
  private final Holdfast holdfast;
  private final Map<String, Task> tasks = new ConcurrentHashMap<>();
  private final Map<String, Trace> traces = new ConcurrentHashMap<>();
  private final Map<String, TracedHold> holds = new ConcurrentHashMap<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          body -> {
            Thread thread = new Thread(body, "worker");
            thread.setDaemon(true);
            return thread;
          });
  private final ScheduledExecutorService looker = Executors.newSingleThreadScheduledExecutor();

  private LockWorker(HistoryWriter history, Holdfast holdfast) {
    this.history = history;
    this.holdfast = holdfast;
    teach("acquire", words -> acquire(words[1], words[2], millis(words[3])));
    teach("pass", words -> pass(words[1], words[2], millis(words[3])));
    teach("placed", words -> placed(words[1]));
    teach("release", words -> release(words[1]));
    teach("counter", words -> say("counter " + words[1] + " " + counter(words[1])));
    teach("sections", words -> sections(words[1], Integer.parseInt(words[2]), millis(words[3])));
  }

  /** Runs until its standard input ends. */
  public static void main(String[] arguments) throws IOException {
    run(arguments, worker -> {});
  }

  /**
   * Runs until its standard input ends.
   *
   * @param arguments the file of the history and the address of the store
   * @param teacher teaches it more before it says that it is ready
   */
  public static void run(String[] arguments, Consumer<LockWorker> teacher) throws IOException {
    Path file = Path.of(arguments[0]);
    try (HistoryWriter history = HistoryWriter.create(file, file.getFileName().toString());
        Holdfast holdfast = Holdfast.connect(arguments[1])) {
      LockWorker worker = new LockWorker(history, holdfast);
      teacher.accept(worker);
      worker.obey();
    }
  }

  /** Teaches it what a line that begins with this word makes it do. */
  public void teach(String word, Task task) {
    tasks.put(word, task);
  }

  /** The client. */
  public Holdfast holdfast() {
    return holdfast;
  }

  /** What it holds by this id. */
  public Hold hold(String id) {
    return known(holds, id).hold();
  }

  private static <T> T known(Map<String, T> all, String id) {
    return Optional.ofNullable(all.get(id))
        .orElseThrow(() -> new IllegalArgumentException("nothing was acquired as " + id));
  }

  /** Says a line to the test. */
  public static void say(String line) {
    System.out.println(line);
  }

  private void obey() throws IOException {
    Future<?> looks =
        looker.scheduleWithFixedDelay(
            () -> holds.values().forEach(TracedHold::look), 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      say("ready");
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ", -1);
        threads.execute(() -> run(words));
      }
    }
    looks.cancel(false);
    looker.shutdown();
  }

  private void run(String... words) {
    Task task = tasks.get(words[0]);
    if (task == null) {
      say("not understood: " + words[0]);
      return;
    }
    try {
      task.run(words);
    } catch (Exception e) {
      say("failed " + String.join(" ", words) + ": " + e);
    }
  }

  private static Duration millis(String text) {
    return Duration.ofMillis(Long.parseLong(text));
  }

  private void acquire(String lock, String id, Duration wait) throws InterruptedException {
    Trace trace = history.trace(lock, id);
    traces.put(id, trace);
    trace.enqueuing();
    TracedHold traced = TracedHold.acquire(holdfast.lock(lock), trace, wait);
    long now = System.nanoTime();
    Hold hold = traced.hold();
    hold.onLoss(loss -> say("lost " + id + " " + System.nanoTime() + " " + loss.cause()));
    holds.put(id, traced);
    say("acquired " + id + " " + now + " " + hold.token() + " " + hold.id());
  }

  private long counter(String name) {
    return holdfast.health().counters().getOrDefault(name, 0L);
  }

  private void pass(String lock, String id, Duration wait) throws InterruptedException {
    acquire(lock, id, wait);
    release(id);
  }

  private void release(String id) {
    say("released " + id + " " + holds.remove(id).release());
  }

  private void placed(String id) {
    known(traces, id).enqueued();
    say("placed " + id);
  }

  /** Acquires one after another; counts the failed ones. */
  private void sections(String lock, int count, Duration wait) throws InterruptedException {
    int failed = 0;
    long longest = 0;
    for (int i = 0; i < count; i++) {
      String id = ProcessHandle.current().pid() + "-" + Thread.currentThread().getId() + "-" + i;
      long start = System.nanoTime();
      try {
        TracedHold.acquire(holdfast.lock(lock), history.trace(lock, id), wait).release();
      } catch (HoldfastException e) {
        failed++;
        say("no section: " + e);
      }
      longest = Math.max(longest, System.nanoTime() - start);
    }
    say("sections " + lock + " " + (count - failed) + " of " + count);
    say("longest " + lock + " " + longest / 1_000_000);
  }
}
