package io.holdfast.runtime.time;

import io.holdfast.World;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Submits tasks to the threads of a {@link World}, and retries when there is no thread.
 *
 * <p>It never throws because of that, so that the reporting thread can continue. Each task runs
 * once.
 */
public final class RetryingExecutor implements Executor {

  private static final System.Logger LOG = System.getLogger("io.holdfast");
  private static final long FIRST_PAUSE = 5_000_000L;
  private static final long LONGEST_PAUSE = 250_000_000L;

  /** A task that begins at most once. */
  private static final class Task implements Runnable {
    private final Runnable body;
    private final AtomicBoolean begun = new AtomicBoolean();

    Task(Runnable body) {
      this.body = body;
    }

    @Override
    public void run() {
      if (begun.compareAndSet(false, true)) {
        body.run();
      }
    }
  }

  private final World world;
  private final ConcurrentLinkedDeque<Task> backlog = new ConcurrentLinkedDeque<>();
  private final AtomicBoolean armed = new AtomicBoolean();
  private volatile long pause = FIRST_PAUSE;

  public RetryingExecutor(World world) {
    this.world = world;
  }

  @Override
  public void execute(Runnable body) {
    Task task = new Task(body);
    if (backlog.isEmpty()) {
      Throwable refusal = handOver(task);
      if (refusal == null) {
        return;
      }
      LOG.log(
          System.Logger.Level.WARNING,
          "no thread for a callback; trying again until there is one: " + refusal);
    }
    backlog.add(task);
    retryLater();
  }

  /** Returns why there is no thread for the task; null if there is one. */
  private @Nullable Throwable handOver(Task task) {
    try {
      world.callbacks().execute(task);
      return null;
    } catch (RuntimeException | OutOfMemoryError e) {
      if (task.begun.get()) {
        throw e; // Thrown by the task itself: it ran on this thread.
      }
      return e;
    }
  }

  private void retryLater() {
    if (!armed.compareAndSet(false, true)) {
      return;
    }
    try {
      world.schedule(pause, this::retry);
    } catch (RuntimeException | OutOfMemoryError e) {
      // No thread for the timer either: the next task tries again.
      armed.set(false);
    }
  }

  private void retry() {
    armed.set(false);
    for (Task task = backlog.poll(); task != null; task = backlog.poll()) {
      if (handOver(task) != null) {
        pause = Math.min(LONGEST_PAUSE, 2 * pause);
        backlog.addFirst(task);
        retryLater();
        return;
      }
      pause = FIRST_PAUSE;
    }
  }
}
