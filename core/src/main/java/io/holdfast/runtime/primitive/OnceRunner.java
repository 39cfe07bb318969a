package io.holdfast.runtime.primitive;

import io.holdfast.Hold;
import io.holdfast.HoldfastException;
import io.holdfast.Kind;
import io.holdfast.LockLostException;
import io.holdfast.Loss;
import io.holdfast.Once;
import io.holdfast.Outcome;
import io.holdfast.runtime.acquire.Waiter;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.client.ClientView;
import io.holdfast.runtime.client.LockName;
import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.runtime.lane.BlockingReply;
import io.holdfast.spi.Shape;
import io.holdfast.spi.support.DurationText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One run in each period: a mutex whose success leaves a mark. */
public final class OnceRunner implements Once {

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration MOST_SLACK = Duration.ofMinutes(1);

  private final Client client;
  private final DefaultLock lock;
  private final long mark;

  public OnceRunner(ClientView view, LockName name, Duration every) {
    if (every.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "every must be >= " + DurationText.of(SHORTEST) + ": every=" + DurationText.of(every));
    }
    Duration tenth = every.dividedBy(10);
    this.client = view.client();
    this.mark =
        DefaultLock.nanos(every.minus(tenth.compareTo(MOST_SLACK) < 0 ? tenth : MOST_SLACK));
    this.lock =
        new DefaultLock(
            view, name.as(Kind.ONCE), view.resource(name), Shape.once(), /* weight= */ 1);
  }

  @Override
  public <X extends Exception> Result run(Duration wait, Body<X> body)
      throws X, InterruptedException {
    Objects.requireNonNull(body, "body");
    return finish(lock.obtain(wait), body);
  }

  @Override
  public <X extends Exception> Result runNoWait(Body<X> body) throws X, InterruptedException {
    Objects.requireNonNull(body, "body");
    return finish(lock.tryOnce(), body);
  }

  private <X extends Exception> Result finish(DefaultLock.Ended ended, Body<X> body) throws X {
    if (!(ended.result() instanceof Waiter.Result.Got got)) {
      return notRun(ended);
    }
    try (HoldHandle hold = got.hold()) {
      long start = client.world().nanoTime();
      body.run(hold);
      hold.ensureHeld();
      BlockingReply<Optional<HoldfastException>> marked = new BlockingReply<>(client.world());
      mark(hold, start, marked);
      Optional<HoldfastException> failure = marked.await();
      if (failure != null && failure.isPresent()) {
        throw failure.get();
      }
      return Result.RAN;
    }
  }

  private static Result notRun(DefaultLock.Ended ended) {
    return ended.result() instanceof Waiter.Result.Done ? Result.DONE : Result.BUSY;
  }

  private void mark(HoldHandle hold, long start, Consumer<Optional<HoldfastException>> done) {
    new MarkWriter(client, hold, start + mark, done).write();
  }

  @Override
  public CompletableFuture<Result> runAsync(
      Duration wait, Function<? super Hold, ? extends CompletionStage<?>> body) {
    Objects.requireNonNull(body, "body");
    CompletableFuture<DefaultLock.Ended> asked = lock.obtainAsync(wait, Function.identity());
    CompletableFuture<Result> result = new CompletableFuture<>();
    // A grant may be there already; the caller's thread may be one that must not block.
    Thread caller = Thread.currentThread();
    AtomicBoolean returned = new AtomicBoolean();
    var unused =
        asked.whenComplete(
            (ended, failure) -> {
              if (failure != null) {
                result.completeExceptionally(failure);
              } else if (ended.result() instanceof Waiter.Result.Got got) {
                AsyncRun run = new AsyncRun(got.hold(), result);
                if (Thread.currentThread() == caller && !returned.get()) {
                  client.call(() -> run.start(body));
                } else {
                  run.start(body);
                }
              } else {
                result.complete(notRun(ended));
              }
            });
    returned.set(true);
    // A caller that cancels while it waits leaves the line; a run that has begun continues.
    var unusedToo = result.whenComplete((value, failure) -> asked.cancel(false));
    return result;
  }

  /** One run whose body ends later. It keeps the handle reachable for as long. */
  private final class AsyncRun {
    private final HoldHandle hold;
    private final CompletableFuture<Result> result;
    private final long start = client.world().nanoTime();

    AsyncRun(HoldHandle hold, CompletableFuture<Result> result) {
      this.hold = hold;
      this.result = result;
    }

    void start(Function<? super Hold, ? extends CompletionStage<?>> body) {
      if (result.isDone()) {
        end(null);
        return;
      }
      CompletionStage<?> running;
      try {
        running = Objects.requireNonNull(body.apply(hold), "the body returned no stage");
      } catch (Throwable e) {
        end(e);
        return;
      }
      var unused =
          running.whenComplete(
              (value, failure) -> {
                if (failure == null) {
                  succeeded();
                } else {
                  end(unwrapped(failure));
                }
              });
    }

    private void succeeded() {
      try {
        hold.ensureHeld();
      } catch (HoldfastException | IllegalStateException e) {
        end(e);
        return;
      }
      mark(hold, start, failure -> end(failure.orElse(null)));
    }

    /** Releases the hold, if it has not ended, and completes the future where it may block. */
    private void end(@Nullable Throwable failure) {
      hold.holdState()
          .release(
              outcome -> {
                Throwable thrown = failure == null ? lossOf(outcome) : failure;
                client.call(
                    () -> {
                      if (thrown == null) {
                        result.complete(Result.RAN);
                      } else {
                        result.completeExceptionally(thrown);
                      }
                    });
              });
    }

    private @Nullable Throwable lossOf(Outcome outcome) {
      Loss loss = hold.loss().orElse(null);
      return outcome == Outcome.LOST && loss != null ? new LockLostException(loss) : null;
    }

    private static Throwable unwrapped(Throwable failure) {
      Throwable cause = failure.getCause();
      return failure instanceof CompletionException && cause != null ? cause : failure;
    }
  }
}
