package io.holdfast.spring;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Threads for methods whose locks were granted before anybody could wait for them: the caller would
 * run the method itself. It may be an event loop, and what is bound to it may be older than the
 * lock.
 */
final class CallThreads {

  private static final Executor THREADS = threads();

  private CallThreads() {}

  private static Executor threads() {
    CustomizableThreadFactory factory = new CustomizableThreadFactory("holdfast-call-");
    factory.setDaemon(true);
    return new ThreadPoolExecutor(
        0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
  }

  /** Passes the locks or the failure on; locks never on the calling thread. */
  static void whenAcquired(
      CompletableFuture<List<HeldLock>> acquiring,
      BiConsumer<@Nullable List<HeldLock>, @Nullable Throwable> then) {
    Thread caller = Thread.currentThread();
    var unused =
        acquiring.whenComplete(
            (locks, failure) -> {
              if (locks == null || Thread.currentThread() != caller) {
                then.accept(locks, failure);
                return;
              }
              try {
                THREADS.execute(() -> then.accept(locks, null));
              } catch (RuntimeException | Error e) {
                // Such as no memory for a thread.
                LockAcquire.releaseAll(locks);
                then.accept(null, e);
              }
            });
  }
}
