package io.holdfast.runtime.primitive;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastListener;
import io.holdfast.JavaLock;
import io.holdfast.runtime.acquire.AcquireRequest;
import io.holdfast.runtime.acquire.AsyncAcquire;
import io.holdfast.runtime.acquire.WaitOutcome;
import io.holdfast.runtime.acquire.WaitQueue;
import io.holdfast.runtime.acquire.Waiter;
import io.holdfast.runtime.client.ClientView;
import io.holdfast.runtime.client.LockName;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.support.DurationText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The lock of every primitive: a weight in the line of a resource. */
public final class DefaultLock implements DistributedLock {

  private final ClientView view;
  private final LockName name;
  private final Resource resource;
  private final Shape shape;
  private final int weight;

  public DefaultLock(ClientView view, LockName name, Resource resource, Shape shape, int weight) {
    this.view = view;
    this.name = name;
    this.resource = resource;
    this.shape = shape;
    this.weight = weight;
  }

  @Override
  public String name() {
    return name.text();
  }

  Resource resource() {
    return resource;
  }

  int weight() {
    return weight;
  }

  Shape.Kind kind() {
    return shape.kind();
  }

  ClientView view() {
    return view;
  }

  @Override
  public Hold acquire() throws InterruptedException {
    return hold(obtain(Waiter.NO_LIMIT, Manner.PLAIN));
  }

  @Override
  public Hold acquire(Duration wait) throws InterruptedException {
    return hold(obtain(wait));
  }

  @Override
  public Optional<Hold> tryAcquire() throws InterruptedException {
    return maybe(tryOnce());
  }

  /** Waits for the given time. Zero is one try, which takes at most the operation timeout. */
  Ended obtain(Duration wait) throws InterruptedException {
    long nanos = nanos(wait);
    return nanos == 0 ? tryOnce() : obtain(nanos, Manner.PLAIN);
  }

  Ended tryOnce() throws InterruptedException {
    return obtain(operationTimeout(), Manner.TRY);
  }

  private long operationTimeout() {
    return view.client().options().operationTimeout().toNanos();
  }

  @Override
  public Optional<Hold> tryAcquire(Duration wait) throws InterruptedException {
    return maybe(obtain(wait));
  }

  @Override
  public CompletableFuture<Hold> acquireAsync(Duration wait) {
    return obtainAsync(wait, DefaultLock::hold);
  }

  @Override
  public CompletableFuture<Optional<Hold>> tryAcquireAsync(Duration wait) {
    return obtainAsync(wait, DefaultLock::maybe);
  }

  /**
   * Acquires without blocking.
   *
   * @param outcome turns the end, other than a failure, into what the future returns
   */
  <T> CompletableFuture<T> obtainAsync(Duration wait, Function<Ended, T> outcome) {
    long nanos = nanos(wait);
    boolean once = nanos == 0;
    AcquireRequest request =
        new AcquireRequest(view, name, resource, AcquireRequest.Caller.ASYNC).traced(nanos, once);
    Waiter waiter = Waiter.async(request, once ? operationTimeout() : nanos, once);
    try {
      return new AsyncAcquire<>(
              waiter,
              view.join(waiter, shape, weight),
              result -> outcome.apply(new Ended(request, result)))
          .future();
    } catch (HoldfastException e) {
      request.tellEnd(WaitOutcome.why(new Waiter.Result.Failed(e)));
      return CompletableFuture.failedFuture(e);
    } catch (RuntimeException | Error e) {
      // Such as no memory for a thread.
      request.tellEnd(HoldfastListener.Why.UNAVAILABLE);
      throw e;
    }
  }

  @Override
  public JavaLock asJavaLock() {
    return new ThreadOwnedLock(this);
  }

  /** The variants of a blocking acquire. */
  enum Manner {
    PLAIN(false, true, AcquireRequest.Caller.BLOCKING),
    TRY(true, true, AcquireRequest.Caller.BLOCKING),
    THREAD_OWNED(false, true, AcquireRequest.Caller.OWNER),
    THREAD_OWNED_TRY(true, true, AcquireRequest.Caller.OWNER),
    THREAD_OWNED_STUBBORN(false, false, AcquireRequest.Caller.OWNER);

    private final boolean tries;
    private final boolean interruptible;
    private final AcquireRequest.Caller caller;

    Manner(boolean tries, boolean interruptible, AcquireRequest.Caller caller) {
      this.tries = tries;
      this.interruptible = interruptible;
      this.caller = caller;
    }
  }

  /** Blocks until there is a result; throws failures and interrupts. */
  Ended obtain(long wait, Manner manner) throws InterruptedException {
    AcquireRequest request =
        new AcquireRequest(view, name, resource, manner.caller).traced(wait, manner.tries);
    if (manner.interruptible && Thread.interrupted()) {
      request.tellEnd(HoldfastListener.Why.CANCELLED);
      throw new InterruptedException("interrupted before requesting " + resource);
    }
    Waiter waiter = Waiter.blocking(request, wait, manner.tries);
    Waiter.Result result;
    try {
      WaitQueue place = view.join(waiter, shape, weight);
      result = waiter.await(place, manner.interruptible);
    } catch (InterruptedException e) {
      request.tellEnd(HoldfastListener.Why.CANCELLED);
      throw e;
    } catch (HoldfastException e) {
      request.tellEnd(WaitOutcome.why(new Waiter.Result.Failed(e)));
      throw e;
    } catch (RuntimeException | Error e) {
      request.tellEnd(HoldfastListener.Why.UNAVAILABLE);
      throw e;
    }
    if (result instanceof Waiter.Result.Got got) {
      got.hold().holdState().begin();
    } else {
      request.tellEnd(WaitOutcome.why(result));
    }
    if (result instanceof Waiter.Result.Failed failed) {
      throw failed.failure();
    }
    return new Ended(request, result);
  }

  /** The end of an acquire. */
  record Ended(AcquireRequest request, Waiter.Result result) {}

  static Hold hold(Ended ended) {
    if (ended.result() instanceof Waiter.Result.Got got) {
      return got.hold();
    }
    if (ended.result() instanceof Waiter.Result.Busy busy) {
      throw WaitOutcome.timeout(ended.request(), busy.replies());
    }
    throw new IllegalStateException("unexpected end of an acquire: " + ended.result());
  }

  static Optional<Hold> maybe(Ended ended) {
    return ended.result() instanceof Waiter.Result.Busy
        ? Optional.empty()
        : Optional.of(hold(ended));
  }

  /** Returns the mark that ended an acquire of kind ONCE, if one did. */
  static Optional<Standing.Done> mark(Ended ended) {
    return ended.result() instanceof Waiter.Result.Done done
        ? Optional.of(done.done())
        : Optional.empty();
  }

  static long nanos(Duration wait) {
    Objects.requireNonNull(wait, "wait");
    if (wait.isNegative()) {
      throw new IllegalArgumentException(
          "wait must not be negative: wait=" + DurationText.of(wait));
    }
    try {
      return wait.toNanos();
    } catch (ArithmeticException e) {
      return Waiter.NO_LIMIT;
    }
  }
}
