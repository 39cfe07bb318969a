package io.holdfast.zookeeper.connection;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException.Code;

/** Combinations of futures that {@link CompletableFuture} lacks. */
public final class Futures {

  private Futures() {}

  /** Completes the second future like the first one. */
  public static <T> void forward(CompletableFuture<T> from, CompletableFuture<T> to) {
    CompletableFuture<T> unused =
        from.whenComplete(
            (value, failure) -> {
              if (failure == null) {
                to.complete(value);
              } else {
                to.completeExceptionally(failure);
              }
            });
  }

  /** Continues with one function after a value and with another one after a failure. */
  public static <T, R> CompletableFuture<R> then(
      CompletableFuture<T> from,
      Function<T, CompletableFuture<R>> onValue,
      Function<Throwable, CompletableFuture<R>> onFailure) {
    CompletableFuture<R> to = new CompletableFuture<>();
    CompletableFuture<T> unused =
        from.whenComplete(
            (value, failure) -> {
              try {
                forward(failure == null ? onValue.apply(value) : onFailure.apply(failure), to);
              } catch (RuntimeException e) {
                to.completeExceptionally(e);
              }
            });
    return to;
  }

  /** Replaces a failure with this code by a value; other failures stay. */
  public static <T> CompletableFuture<T> valueIf(
      CompletableFuture<T> from, Code code, T replacement) {
    return from.exceptionallyCompose(
        failure ->
            StoreErrors.code(failure) == code
                ? CompletableFuture.completedFuture(replacement)
                : CompletableFuture.failedFuture(failure));
  }

  /** Collects the values in order when all futures are complete; fails when one failed. */
  public static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
    return CompletableFuture.allOf(futures.toArray(new CompletableFuture<?>[0]))
        .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
  }
}
