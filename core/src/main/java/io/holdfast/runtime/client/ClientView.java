package io.holdfast.runtime.client;

import io.holdfast.AcquireTracer;
import io.holdfast.DistributedLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.HoldfastListener;
import io.holdfast.HoldfastOptions;
import io.holdfast.Kind;
import io.holdfast.runtime.acquire.DirectAcquire;
import io.holdfast.runtime.acquire.LocalLines;
import io.holdfast.runtime.acquire.WaitQueue;
import io.holdfast.runtime.acquire.Waiter;
import io.holdfast.runtime.primitive.DefaultLock;
import io.holdfast.runtime.primitive.DefaultSemaphore;
import io.holdfast.runtime.renew.LeaseTerms;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A client with one set of options. */
public final class ClientView {

  private final Client client;
  private final HoldfastOptions options;
  private final LeaseTerms terms;
  private final boolean silent;
  private final boolean untraced;

  public ClientView(Client client, HoldfastOptions options, LeaseTerms terms) {
    this.client = client;
    this.options = options;
    this.terms = terms;
    this.silent = options.listener() == HoldfastListener.NONE;
    this.untraced = options.tracer() == AcquireTracer.NONE;
  }

  public Client client() {
    return client;
  }

  public HoldfastOptions options() {
    return options;
  }

  public LeaseTerms terms() {
    return terms;
  }

  public DistributedLock lock(LockName name, Shape shape, int weight) {
    return new DefaultLock(this, name, resource(name), shape, weight);
  }

  public DistributedSemaphore semaphore(LockName name, int permits) {
    return new DefaultSemaphore(this, name.as(Kind.SEMAPHORE), permits);
  }

  public Resource resource(LockName name) {
    return new Resource(options.namespace(), name.text());
  }

  /** Adds a waiter to the queue for its shape, and starts it. */
  public WaitQueue join(Waiter waiter, Shape shape, int weight) {
    Resource resource = waiter.request().resource();
    client.admit(shape, resource);
    boolean shares =
        shape.kind() == Shape.Kind.MUTEX && shape.order() == Order.ANY && !terms.fixed();
    if (shares) {
      return client.localLines().join(new LocalLines.Key(resource, terms), waiter);
    }
    boolean waits = !waiter.tryOnly();
    DirectAcquire direct =
        new DirectAcquire(
            client, client.claim(waiter.request(), terms, shape, weight, waits), waiter);
    direct.start();
    return direct;
  }

  /** Notifies the listener, if there is one; exceptions that it throws are logged. */
  public void tell(Supplier<HoldfastListener.Event> event) {
    if (silent) {
      return;
    }
    guarded("listener", () -> options.listener().on(event.get()));
  }

  /**
   * Begins the span of an acquire; null if there is no tracer, or if it failed.
   *
   * @param wait in nanoseconds, or {@link Waiter#NO_LIMIT}
   */
  public AcquireTracer.@Nullable Span trace(LockName name, long wait) {
    if (untraced) {
      return null;
    }
    Optional<Duration> most =
        wait == Waiter.NO_LIMIT ? Optional.empty() : Optional.of(Duration.ofNanos(wait));
    AcquireTracer.Acquire acquire =
        new AcquireTracer.Acquire(
            options.namespace(), name.text(), name.tag(), name.kind(), most, client.store());
    AcquireTracer.@Nullable Span[] begun = {null};
    guarded("tracer", () -> begun[0] = options.tracer().begin(acquire));
    return begun[0];
  }

  /** Runs code of the user that must not harm the lock: exceptions that it throws are logged. */
  public void guarded(String who, Runnable code) {
    try {
      code.run();
    } catch (RuntimeException | Error e) {
      client.log(System.Logger.Level.WARNING, who + " failed: " + e);
    }
  }
}
