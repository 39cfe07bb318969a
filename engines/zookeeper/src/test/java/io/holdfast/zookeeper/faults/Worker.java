package io.holdfast.zookeeper.faults;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StaleTokenException;
import io.holdfast.rig.HistoryWriter;
import io.holdfast.rig.TracedHold;
import io.holdfast.zookeeper.ZooKeeperFenceGuard;
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
 * MILLIS}, {@code look HOLD}, {@code claim HOLD} (at the guard of the lock's name), {@code release
 * HOLD}, {@code turn LOCK ID} (waits in line for one turn).
 */
final class Worker {

  private static final long LOOK_MILLIS = 5;

  private final HistoryWriter history;
  private final Holdfast holdfast;
  private final ZooKeeperFenceGuard guard;
  private final Map<String, TracedHold> holds = new ConcurrentHashMap<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          body -> {
            Thread thread = new Thread(body, "worker");
            thread.setDaemon(true);
            return thread;
          });
  private final ScheduledExecutorService looker = Executors.newSingleThreadScheduledExecutor();

  private Worker(HistoryWriter history, Holdfast holdfast, ZooKeeperFenceGuard guard) {
    this.history = history;
    this.holdfast = holdfast;
    this.guard = guard;
  }

  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    String plain = arguments[1].replaceAll("[?].*", "");
    try (HistoryWriter history = HistoryWriter.create(file, file.getFileName().toString());
        ZooKeeperFenceGuard guard = ZooKeeperFenceGuard.connect(plain);
        Holdfast holdfast = Holdfast.connect(arguments[1])) {
      new Worker(history, holdfast, guard).obey();
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

  private static synchronized void say(String line) {
    System.out.println(line);
  }

  private void run(String... words) {
    try {
      switch (words[0]) {
        case "acquire" -> acquire(words[1], words[2], Duration.ofMillis(Long.parseLong(words[3])));
        case "look" -> say("looked " + words[1] + " " + holds.get(words[1]).hold().isHeld());
        case "claim" -> say("claimed " + words[1] + " " + claim(holds.get(words[1]).hold()));
        case "release" -> say("released " + words[1] + " " + holds.remove(words[1]).release());
        case "turn" -> turn(words[1], words[2]);
        default -> say("not understood: " + words[0]);
      }
    } catch (InterruptedException | RuntimeException e) {
      say("failed " + String.join(" ", words) + ": " + e);
    }
  }

  private boolean claim(Hold hold) {
    try {
      guard.claim(hold);
      return true;
    } catch (StaleTokenException e) {
      return false;
    }
  }

  private void acquire(String lock, String id, Duration wait) throws InterruptedException {
    TracedHold traced = TracedHold.acquire(holdfast.lock(lock), history.trace(lock, id), wait);
    long now = System.nanoTime();
    Hold hold = traced.hold();
    hold.onLoss(loss -> say("lost " + id + " " + System.nanoTime() + " " + loss.cause()));
    holds.put(id, traced);
    say("acquired " + id + " " + now + " " + hold.token() + " " + hold.id());
  }

  /** Waits for one turn and gives it back at once. */
  private void turn(String lock, String id) throws InterruptedException {
    try (Hold hold = holdfast.lock(lock).acquire(Duration.ofMinutes(2))) {
      say("turn " + id + " " + hold.token());
    }
  }
}
