package io.holdfast.rig.clients;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** Several workers that stand in one line. */
public final class WorkerGroup implements AutoCloseable {

  private static final Duration LONG = Duration.ofSeconds(60);

  private final List<WorkerJvm> workers = new ArrayList<>();

  private WorkerGroup() {}

  /** Starts so many of them, and waits until all are connected. */
  public static WorkerGroup start(int count, Class<?> program, Path folder, String uri) {
    WorkerGroup crew = new WorkerGroup();
    try {
      for (int i = 0; i < count; i++) {
        crew.workers.add(WorkerJvm.start(program, folder, "w" + i, uri));
      }
      crew.workers.forEach(WorkerJvm::awaitReady);
      return crew;
    } catch (RuntimeException | Error e) {
      crew.close();
      throw e;
    }
  }

  /**
   * Each asks so many times for the lock, to give it back at once: one of each at a time, and who
   * comes later knows that those before have their places.
   *
   * @param awaitPlaces returns when so many wait in the store
   */
  public void queue(String lock, int times, IntConsumer awaitPlaces) {
    for (int i = 0; i < times; i++) {
      for (WorkerJvm worker : workers) {
        worker.jvm().say("pass " + lock + " " + id(worker, i) + " " + LONG.toMillis());
      }
      awaitPlaces.accept((i + 1) * workers.size());
      for (WorkerJvm worker : workers) {
        worker.jvm().say("placed " + id(worker, i));
      }
      for (WorkerJvm worker : workers) {
        worker.jvm().awaitLine("placed " + id(worker, i), LONG);
      }
    }
  }

  private static String id(WorkerJvm worker, int number) {
    return worker.name() + "-" + number;
  }

  /** Waits until each has been in so many times. */
  public void awaitIn(int times) {
    for (WorkerJvm worker : workers) {
      for (int i = 0; i < times; i++) {
        worker.awaitAcquired(id(worker, i));
      }
    }
  }

  /** A counter of their health, of all together; may be asked for once. */
  public long sum(String counter) {
    String answer = "counter " + counter + " ";
    return workers.stream()
        .map(worker -> worker.ask("counter " + counter, answer))
        .mapToLong(line -> Long.parseLong(line.substring(answer.length())))
        .sum();
  }

  @Override
  public void close() {
    workers.forEach(WorkerJvm::close);
  }
}
