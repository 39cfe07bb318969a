package io.holdfast.spring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * A thread for each call that may block. The common pool has a single thread on a machine with two
 * cores, on which the second of two calls would wait for the first.
 */
final class Threads {

  private static final Executor EACH =
      task -> {
        Thread thread = new Thread(task, "caller");
        thread.setDaemon(true);
        thread.start();
      };

  private Threads() {}

  static CompletableFuture<Void> run(Runnable task) {
    return CompletableFuture.runAsync(task, EACH);
  }

  static <T> CompletableFuture<T> supply(Supplier<T> task) {
    return CompletableFuture.supplyAsync(task, EACH);
  }
}
