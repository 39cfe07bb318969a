package io.holdfast.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that begin together. */
public final class Crew implements AutoCloseable {

  private static final long BOUND_SECONDS = 60;

  /** What each of them does. */
  @FunctionalInterface
  public interface Task<T> {
    T run(int number) throws Exception;
  }

  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Answers what each of them answered, in their order; throws what one of them threw. */
  public <T> List<T> all(int size, Task<T> task) throws Exception {
    CyclicBarrier start = new CyclicBarrier(size);
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int number = i;
      running.add(
          threads.submit(
              () -> {
                start.await(BOUND_SECONDS, TimeUnit.SECONDS);
                return task.run(number);
              }));
    }
    List<T> answers = new ArrayList<>();
    for (Future<T> each : running) {
      answers.add(each.get(BOUND_SECONDS, TimeUnit.SECONDS));
    }
    return answers;
  }

  public <T> Future<T> one(Task<T> task) {
    return threads.submit(() -> task.run(0));
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
