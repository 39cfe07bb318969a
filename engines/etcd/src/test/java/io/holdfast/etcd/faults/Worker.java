package io.holdfast.etcd.faults;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.rig.HistoryWriter;
import io.holdfast.rig.Trace;
import io.holdfast.rig.TracedHold;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A program that does what its standard input says and writes a history: {@code acquire LOCK HOLD
 * MILLIS}, {@code pass LOCK HOLD MILLIS} (and release at once), {@code placed HOLD} (the test saw
 * its place in the store), {@code look HOLD}, {@code release HOLD}, {@code sections LOCK COUNT
 * MILLIS}.
 */
final class Worker {

  private static final long LOOK_MILLIS = 5;

  private final HistoryWriter history;
  private final Holdfast holdfast;
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

  private Worker(HistoryWriter history, Holdfast holdfast) {
    this.history = history;
    this.holdfast = holdfast;
  }

  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    String name = file.getFileName().toString();
    try (HistoryWriter history = HistoryWriter.create(file, name);
        Holdfast holdfast = Holdfast.connect(arguments[1])) {
      new Worker(history, holdfast).obey();
    }
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

  private static void say(String line) {
    System.out.println(line);
  }

  private void run(String... words) {
    try {
      switch (words[0]) {
        case "acquire" -> acquire(words[1], words[2], millis(words[3]));
        case "pass" -> pass(words[1], words[2], millis(words[3]));
        case "placed" -> placed(words[1]);
        case "look" -> say("looked " + words[1] + " " + holds.get(words[1]).hold().isHeld());
        case "release" -> say("released " + words[1] + " " + holds.remove(words[1]).release());
        case "sections" -> sections(words[1], Integer.parseInt(words[2]), millis(words[3]));
        default -> say("not understood: " + words[0]);
      }
    } catch (InterruptedException | RuntimeException e) {
      say("failed " + String.join(" ", words) + ": " + e);
    }
  }

  private static Duration millis(String text) {
    return Duration.ofMillis(Long.parseLong(text));
  }

  private TracedHold acquire(String lock, String id, Duration wait) throws InterruptedException {
    Trace trace = history.trace(lock, id);
    traces.put(id, trace);
    trace.enqueuing();
    TracedHold traced = TracedHold.acquire(holdfast.lock(lock), trace, wait);
    long now = System.nanoTime();
    Hold hold = traced.hold();
    hold.onLoss(loss -> say("lost " + id + " " + System.nanoTime() + " " + loss.cause()));
    holds.put(id, traced);
    say("acquired " + id + " " + now + " " + hold.token() + " " + hold.id());
    return traced;
  }

  private void pass(String lock, String id, Duration wait) throws InterruptedException {
    acquire(lock, id, wait);
    say("released " + id + " " + holds.remove(id).release());
  }

  private void placed(String id) {
    traces.get(id).enqueued();
    say("placed " + id);
  }

  /** One after another; those that do not get in are counted. */
  private void sections(String lock, int count, Duration wait) throws InterruptedException {
    int failed = 0;
    for (int i = 0; i < count; i++) {
      String id = ProcessHandle.current().pid() + "-" + Thread.currentThread().getId() + "-" + i;
      try {
        TracedHold.acquire(holdfast.lock(lock), history.trace(lock, id), wait).release();
      } catch (HoldfastException e) {
        failed++;
        say("no section: " + e);
      }
    }
    say("sections " + lock + " " + (count - failed) + " of " + count);
  }
}
