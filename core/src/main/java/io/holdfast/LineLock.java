package io.holdfast;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What every primitive's lock is: a weight in the line of a resource. */
final class LineLock implements DistributedLock {

  private final View view;
  private final Name name;
  private final Resource resource;
  private final Shape shape;
  private final int weight;

  LineLock(View view, Name name, Resource resource, Shape shape, int weight) {
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

  View view() {
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

  /** Waits for this time; no time at all is one try, which has the time of an operation. */
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
    Request request = new Request(view, name, resource, Request.Caller.ASYNC);
    long nanos = nanos(wait);
    boolean once = nanos == 0;
    Waiter waiter = Waiter.async(request, once ? operationTimeout() : nanos, once);
    try {
      return new AsyncAcquire(waiter, view.join(waiter, shape, weight)).future();
    } catch (HoldfastException e) {
      tellEnd(request, Verdict.why(new Waiter.Result.Failed(e)));
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public JavaLock asJavaLock() {
    return new ThreadOwnedLock(this);
  }

  /** How a blocking acquire goes about it. */
  enum Manner {
    PLAIN(false, true, Request.Caller.BLOCKING),
    TRY(true, true, Request.Caller.BLOCKING),
    THREAD_OWNED(false, true, Request.Caller.OWNER),
    THREAD_OWNED_TRY(true, true, Request.Caller.OWNER),
    THREAD_OWNED_STUBBORN(false, false, Request.Caller.OWNER);

    private final boolean tries;
    private final boolean interruptible;
    private final Request.Caller caller;

    Manner(boolean tries, boolean interruptible, Request.Caller caller) {
      this.tries = tries;
      this.interruptible = interruptible;
      this.caller = caller;
    }
  }

  /** Blocks until there is a result; failures and interrupts are thrown. */
  Ended obtain(long wait, Manner manner) throws InterruptedException {
    Request request = new Request(view, name, resource, manner.caller);
    if (manner.interruptible && Thread.interrupted()) {
      tellEnd(request, HoldfastListener.Why.CANCELLED);
      throw new InterruptedException("interrupted before asking for " + resource);
    }
    Waiter waiter = Waiter.blocking(request, wait, manner.tries);
    Waiter.Result result;
    try {
      Place place = view.join(waiter, shape, weight);
      result = waiter.await(place, manner.interruptible);
    } catch (InterruptedException e) {
      tellEnd(request, HoldfastListener.Why.CANCELLED);
      throw e;
    } catch (HoldfastException e) {
      tellEnd(request, Verdict.why(new Waiter.Result.Failed(e)));
      throw e;
    }
    if (result instanceof Waiter.Result.Got got) {
      got.hold().tenure().begin();
    } else {
      tellEnd(request, Verdict.why(result));
    }
    if (result instanceof Waiter.Result.Failed failed) {
      throw failed.failure();
    }
    return new Ended(request, result);
  }

  private void tellEnd(Request request, HoldfastListener.Why why) {
    view.tell(() -> new HoldfastListener.NotAcquired(name.tag(), why, request.waited()));
  }

  /** How an acquire ended. */
  record Ended(Request request, Waiter.Result result) {}

  static Hold hold(Ended ended) {
    if (ended.result() instanceof Waiter.Result.Got got) {
      return got.hold();
    }
    if (ended.result() instanceof Waiter.Result.Busy busy) {
      throw Verdict.timeout(ended.request(), busy.word());
    }
    throw new IllegalStateException("unexpected end of an acquire: " + ended.result());
  }

  static Optional<Hold> maybe(Ended ended) {
    return ended.result() instanceof Waiter.Result.Busy
        ? Optional.empty()
        : Optional.of(hold(ended));
  }

  /** The mark that ended an acquire of kind ONCE, if one did. */
  static Optional<Standing.Done> mark(Ended ended) {
    return ended.result() instanceof Waiter.Result.Done done
        ? Optional.of(done.done())
        : Optional.empty();
  }

  static long nanos(Duration wait) {
    Objects.requireNonNull(wait, "wait");
    if (wait.isNegative()) {
      throw new IllegalArgumentException("wait must not be negative: wait=" + wait);
    }
    try {
      return wait.toNanos();
    } catch (ArithmeticException e) {
      return Waiter.NO_LIMIT;
    }
  }
}
