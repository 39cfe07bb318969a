package io.holdfast;

import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import java.util.function.Supplier;

/** A client seen under certain options. */
final class View {

  private final Client client;
  private final HoldfastOptions options;
  private final Terms terms;
  private final boolean silent;

  View(Client client, HoldfastOptions options, Terms terms) {
    this.client = client;
    this.options = options;
    this.terms = terms;
    this.silent = options.listener() == HoldfastListener.NONE;
  }

  Client client() {
    return client;
  }

  HoldfastOptions options() {
    return options;
  }

  Terms terms() {
    return terms;
  }

  DistributedLock lock(Name name, Shape shape, int weight) {
    return new LineLock(this, name, resource(name), shape, weight);
  }

  DistributedSemaphore semaphore(Name name, int permits) {
    return new SemaphoreLine(this, name, permits);
  }

  Resource resource(Name name) {
    return new Resource(options.namespace(), name.text());
  }

  /** Puts a waiter where its shape belongs, and lets it begin. */
  Place join(Waiter waiter, Shape shape, int weight) {
    Resource resource = waiter.request().resource();
    client.admit(shape, resource);
    boolean shares =
        shape.kind() == Shape.Kind.MUTEX && shape.order() == Order.ANY && !terms.fixed();
    if (shares) {
      return client.localLines().join(new LocalLines.Key(resource, terms), waiter);
    }
    boolean waits = !waiter.tryOnly();
    Direct direct =
        new Direct(client, client.claim(waiter.request(), terms, shape, weight, waits), waiter);
    direct.start();
    return direct;
  }

  /** Tells the listener, if there is one; what it throws goes no further. */
  void tell(Supplier<HoldfastListener.Event> event) {
    if (silent) {
      return;
    }
    try {
      options.listener().on(event.get());
    } catch (RuntimeException | Error e) {
      client.log(System.Logger.Level.WARNING, "listener failed: " + e);
    }
  }
}
