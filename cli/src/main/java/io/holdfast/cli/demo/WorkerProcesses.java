package io.holdfast.cli.demo;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import io.holdfast.spi.EngineException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The workers that are processes, and their messages in order of arrival. */
final class WorkerProcesses implements AutoCloseable {

  static final List<String> NAMES = List.of("ada", "ben", "cat", "dan");

  private static final long PATIENCE_SECONDS = 60;

  private final DemoStore place;
  private final Holdfast holdfast;
  private final BlockingQueue<Said> said = new LinkedBlockingQueue<>();
  private final List<Said> kept = new ArrayList<>();
  private final List<WorkerProcess> workers = new ArrayList<>();

  /** A word of a worker, and what it says of it. */
  record Said(WorkerProcess who, String word, String rest) {

    private String why() {
      return rest.isEmpty() ? "" : ": " + rest;
    }
  }

  private WorkerProcesses(DemoStore place) {
    this.place = place;
    this.holdfast = place.open(HoldfastOptions.DEFAULTS, World.system());
  }

  /** Starts them all, and returns when each is connected. */
  static WorkerProcesses start(DemoStore place)
      throws IOException, DemoAbortedException, InterruptedException {
    WorkerProcesses group = new WorkerProcesses(place);
    try {
      for (String name : NAMES) {
        group.workers.add(WorkerProcess.start(name, group.workers.size(), place, group.said::add));
      }
      for (int i = 0; i < NAMES.size(); i++) {
        group.await("ready");
      }
      return group;
    } catch (IOException | DemoAbortedException | InterruptedException e) {
      group.close();
      throw e;
    }
  }

  WorkerProcess worker(String name) {
    return workers.get(NAMES.indexOf(name));
  }

  List<WorkerProcess> all() {
    return List.copyOf(workers);
  }

  /** Waits for the first that says this word. */
  Said await(String word) throws DemoAbortedException, InterruptedException {
    return await(word, next -> next.word.equals(word));
  }

  /** Waits for this worker to say this word; what others say meanwhile is kept for later. */
  Said awaitFrom(WorkerProcess who, String word) throws DemoAbortedException, InterruptedException {
    return await(word, next -> next.who == who && next.word.equals(word));
  }

  private Said await(String word, Predicate<Said> awaited)
      throws DemoAbortedException, InterruptedException {
    for (Said earlier : kept) {
      if (awaited.test(earlier)) {
        kept.remove(earlier);
        return earlier;
      }
    }
    while (true) {
      Said next = said.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (next != null && next.word.equals(WorkerProcess.INTERRUPTED)) {
        throw new InterruptedException("Ctrl-C"); // which is for this process as well
      }
      if (next == null || next.word.equals(WorkerProcess.GONE)) {
        throw new DemoAbortedException(
            next == null
                ? "nobody said " + word
                : next.who.name() + " ended, and never said " + word + next.why());
      }
      if (awaited.test(next)) {
        return next;
      }
      kept.add(next);
    }
  }

  /** Where the lock is, in words. */
  String where() {
    return DemoStore.shown(holdfast);
  }

  /** How many tickets are in the lock's line. */
  int left() throws EngineException {
    return place.lines(holdfast).stream().mapToInt(line -> line.tickets().size()).sum();
  }

  @Override
  public void close() {
    workers.forEach(WorkerProcess::close);
    holdfast.close();
  }
}
