package io.holdfast.rig.scenarios;

import io.holdfast.StaleTokenException;
import io.holdfast.memory.MemoryFenceGuard;
import io.holdfast.rig.checks.Capacities;
import io.holdfast.rig.checks.GuardedWrites;
import io.holdfast.rig.checks.LossNotices;
import io.holdfast.rig.checks.Overlap;
import io.holdfast.rig.checks.TokenOrder;
import io.holdfast.rig.clients.WorkerJvm;
import io.holdfast.rig.history.History;
import io.holdfast.rig.history.HistoryWriter;
import io.holdfast.rig.time.Figure;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A holder is paused for longer than its lease, as by garbage collection. Every engine must pass
 * it.
 */
public final class PausedHolderScenario {

  private static final Duration TOLD = Duration.ofMillis(50);
  private static final String LOCK = "x";

  /** What holders write to, with a guard before it. */
  @FunctionalInterface
  public interface Guarded {
    /** Writes as this holder; returns whether the guard accepted it. */
    boolean write(WorkerJvm worker, String hold, WorkerJvm.Grant grant) throws Exception;
  }

  private final String store;
  private final Duration bound;
  private final Guarded guarded;

  /**
   * A story.
   *
   * @param store for people
   * @param bound within which the next one is in
   */
  public PausedHolderScenario(String store, Duration bound, Guarded guarded) {
    this.store = store;
    this.bound = bound;
    this.guarded = guarded;
  }

  /** Something that is guarded in the memory of the test. */
  public static Guarded inMemory() {
    MemoryFenceGuard guard = new MemoryFenceGuard();
    return (worker, hold, grant) -> {
      try {
        guard.claim(LOCK, grant.token(), grant.holdId());
        return true;
      } catch (StaleTokenException e) {
        return false;
      }
    };
  }

  /**
   * Pauses a holder until another is in: it sees the loss at its first look, is notified once, and
   * its write is stale; afterwards it acquires again.
   *
   * @param program of the workers
   * @param folder empty; of the histories
   * @param uri the address of the store, with the lease
   * @return what the other one was granted, whose write was the last
   */
  public WorkerJvm.Grant play(Class<?> program, Path folder, String uri) throws Exception {
    WorkerJvm.Grant second;
    try (HistoryWriter notes = HistoryWriter.create(folder.resolve("test"), "test");
        WorkerJvm a = WorkerJvm.start(program, folder, "a", uri);
        WorkerJvm b = WorkerJvm.start(program, folder, "b", uri)) {
      a.awaitReady().acquire(LOCK, "a1", WorkerJvm.LONG);
      WorkerJvm.Grant first = a.awaitAcquired("a1");
      write(a, "a1", first, notes);
      b.awaitReady().acquire(LOCK, "b1", WorkerJvm.LONG);

      long paused = a.pause(notes);
      second = b.awaitAcquired("b1");
      Figure.within(bound, second.nanos() - paused, store + ": SIGSTOP of a holder: next grant");
      write(b, "b1", second, notes);
      resume(a, first);
      answers(b, "release b1", "released b1", "RELEASED");
      answers(a, "release a1", "released a1", "LOST");
      toldOnce(a);
      a.acquire(LOCK, "a2", WorkerJvm.LONG);
      require(a.awaitAcquired("a2").token() > second.token(), "a later grant has a larger token");
    }
    check(WorkerJvm.history(folder));
    return second;
  }

  private void write(WorkerJvm worker, String hold, WorkerJvm.Grant grant, HistoryWriter notes)
      throws Exception {
    require(guarded.write(worker, hold, grant), "the newest holder may write");
    notes.trace(LOCK, hold).written(grant.token());
  }

  private void resume(WorkerJvm worker, WorkerJvm.Grant lost) throws Exception {
    long resumed = System.nanoTime();
    worker.jvm().resume();
    answers(worker, "look a1", "looked a1", "false");
    require(!guarded.write(worker, "a1", lost), "the late write of the old holder is refused");
    Figure.within(
        TOLD, worker.awaitLost("a1") - resumed, store + ": SIGCONT of a holder: loss reported");
  }

  private void toldOnce(WorkerJvm worker) {
    long told = worker.jvm().lines().stream().filter(line -> line.startsWith("lost ")).count();
    require(told == 1, "a loss is reported once, not " + told + " times");
  }

  private void answers(WorkerJvm worker, String line, String answer, String end) {
    String said = worker.ask(line, answer);
    require(said.endsWith(" " + end), line + " has the result " + end + ", not: " + said);
  }

  private void require(boolean holds, String rule) {
    if (!holds) {
      throw new AssertionError(store + ": " + rule);
    }
  }

  private static void check(History history) {
    new Overlap().check(history).requireClean(3);
    TokenOrder.byGrant(Capacities.mutexes()).check(history).requireClean(3);
    new LossNotices().check(history).requireClean(3);
    new GuardedWrites().check(history).requireClean(2);
  }
}
