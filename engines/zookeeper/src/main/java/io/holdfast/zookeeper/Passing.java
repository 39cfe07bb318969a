package io.holdfast.zookeeper;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Answers that are passed on. */
final class Passing {

  private Passing() {}

  /** What becomes of one becomes of the other. */
  static <T> void on(CompletableFuture<T> from, CompletableFuture<T> to) {
    CompletableFuture<T> unused =
        from.whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                to.complete(answer);
              } else {
                to.completeExceptionally(failure);
              }
            });
  }

  /** What follows an answer, and what follows a failure. */
  static <T, R> CompletableFuture<R> then(
      CompletableFuture<T> from,
      Function<T, CompletableFuture<R>> answered,
      Function<Throwable, CompletableFuture<R>> failed) {
    CompletableFuture<R> to = new CompletableFuture<>();
    CompletableFuture<T> unused =
        from.whenComplete(
            (answer, failure) -> {
              try {
                on(failure == null ? answered.apply(answer) : failed.apply(failure), to);
              } catch (RuntimeException e) {
                to.completeExceptionally(e);
              }
            });
    return to;
  }
}
