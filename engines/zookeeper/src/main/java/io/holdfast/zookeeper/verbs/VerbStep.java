package io.holdfast.zookeeper.verbs;

import io.holdfast.spi.EngineException;
import io.holdfast.zookeeper.connection.StoreErrors.EngineFailure;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A verb, or a part of one: sends requests and handles replies until it is complete.
 *
 * <p>A request is sent when its future is created, so the requests of several verbs share one trip.
 * Replies are handled on the client's own thread, and must not block it. One reply is handled at a
 * time, so fields need no synchronization.
 *
 * @param <R> the result
 */
abstract class VerbStep<R> {

  private final CompletableFuture<R> result = new CompletableFuture<>();

  /** Runs the first part of the recipe. */
  final CompletableFuture<R> start(Runnable first) {
    run(first);
    return result;
  }

  /** Runs a part of the recipe; an exception fails the verb. */
  final void run(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  final CompletableFuture<R> result() {
    return result;
  }

  /** Continues with the reply; a failure fails the verb. */
  final <T> void ask(CompletableFuture<T> request, Consumer<T> hear) {
    ask(request, hear, this::fail);
  }

  /** Continues with the reply or with the failure. */
  final <T> void ask(
      CompletableFuture<T> request, Consumer<T> hear, Consumer<Throwable> hearFailure) {
    CompletableFuture<T> unused =
        request.whenComplete(
            (reply, failure) ->
                run(
                    failure == null
                        ? () -> hear.accept(reply)
                        : () -> hearFailure.accept(failure)));
  }

  /** Ends with a result. */
  void complete(R value) {
    result.complete(value);
  }

  /** Ends with an exception that is worded already. */
  final void refuse(EngineException reason) {
    fail(new EngineFailure(reason));
  }

  /** Ends with a failure, which the lane translates. */
  void fail(Throwable failure) {
    result.completeExceptionally(failure);
  }
}
