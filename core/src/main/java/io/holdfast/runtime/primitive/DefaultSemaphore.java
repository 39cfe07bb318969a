package io.holdfast.runtime.primitive;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedSemaphore;
import io.holdfast.Hold;
import io.holdfast.JavaLock;
import io.holdfast.LockRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.runtime.acquire.AcquireRequest;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.client.ClientView;
import io.holdfast.runtime.client.LockName;
import io.holdfast.runtime.lane.BlockingReply;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A semaphore: weights in a line with a capacity of n permits. */
public final class DefaultSemaphore implements DistributedSemaphore {

  private final ClientView view;
  private final LockName name;
  private final int size;
  private final DistributedLock one;

  public DefaultSemaphore(ClientView view, LockName name, int size) {
    this.view = view;
    this.name = name;
    this.size = size;
    this.one = view.lock(name, Shape.semaphore(size), 1);
  }

  @Override
  public DistributedLock permits(int count) {
    int most = size == Shape.ADOPT ? Shape.MAX_PERMITS : size;
    if (count < 1 || count > most) {
      throw new IllegalArgumentException(
          "permits must be 1.." + most + ": permits=" + count + " semaphore=" + name.text());
    }
    return view.lock(name, Shape.semaphore(size), count);
  }

  @Override
  public boolean resize(int permits) throws InterruptedException {
    if (permits < 1 || permits > Shape.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "permits must be 1.." + Shape.MAX_PERMITS + ": permits=" + permits);
    }
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before resizing " + name.text());
    }
    Client client = view.client();
    AcquireRequest request =
        new AcquireRequest(view, name, view.resource(name), AcquireRequest.Caller.BLOCKING);
    Shape shape = Shape.semaphore(permits);
    client.admit(shape, request.resource());
    Ticket ticket = client.ticket(request, view.terms(), shape, 1, /* waits= */ false);
    BlockingReply<Boolean> answered = new BlockingReply<>(client.world());
    client.lane().submit(new Verb.Resize(ticket, answered));
    Boolean resized = answered.await();
    if (resized != null) {
      return resized;
    }
    EngineException failure = answered.failure();
    String what = "could not resize " + request.resource() + " at " + client.store();
    if (failure instanceof EngineException.Refused) {
      throw new LockRefusedException(what + ": " + failure.getMessage(), failure);
    }
    throw new StoreUnavailableException(what + "; a retry does no harm", failure);
  }

  @Override
  public String name() {
    return one.name();
  }

  @Override
  public Hold acquire() throws InterruptedException {
    return one.acquire();
  }

  @Override
  public Hold acquire(Duration wait) throws InterruptedException {
    return one.acquire(wait);
  }

  @Override
  public Optional<Hold> tryAcquire() throws InterruptedException {
    return one.tryAcquire();
  }

  @Override
  public Optional<Hold> tryAcquire(Duration wait) throws InterruptedException {
    return one.tryAcquire(wait);
  }

  @Override
  public CompletableFuture<Hold> acquireAsync(Duration wait) {
    return one.acquireAsync(wait);
  }

  @Override
  public CompletableFuture<Optional<Hold>> tryAcquireAsync(Duration wait) {
    return one.tryAcquireAsync(wait);
  }

  @Override
  public JavaLock asJavaLock() {
    return one.asJavaLock();
  }
}
