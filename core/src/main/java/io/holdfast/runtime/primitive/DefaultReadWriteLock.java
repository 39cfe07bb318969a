package io.holdfast.runtime.primitive;

import io.holdfast.DistributedLock;
import io.holdfast.DistributedReadWriteLock;
import io.holdfast.Hold;
import io.holdfast.JavaLock;
import io.holdfast.JavaReadWriteLock;
import io.holdfast.Kind;
import io.holdfast.Loss;
import io.holdfast.StoreUnavailableException;
import io.holdfast.runtime.acquire.Claim;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.client.ClientView;
import io.holdfast.runtime.client.LockName;
import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.runtime.lane.BlockingReply;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;

/** A read/write lock: a reader takes 1 of the line's capacity, a writer all of it. */
public final class DefaultReadWriteLock implements DistributedReadWriteLock {

  private static final int ALL = Shape.READ_WRITE_CAPACITY;

  private final ClientView view;
  private final LockName name;

  public DefaultReadWriteLock(ClientView view, LockName name) {
    this.view = view;
    this.name = name;
    view.resource(name);
  }

  @Override
  public String name() {
    return name.text();
  }

  @Override
  public DistributedLock readLock() {
    return side(1);
  }

  @Override
  public DistributedLock writeLock() {
    return side(ALL);
  }

  private DefaultLock side(int weight) {
    LockName as = name.as(weight == ALL ? Kind.WRITE : Kind.READ);
    return new DefaultLock(view, as, view.resource(name), Shape.readWrite(), weight);
  }

  @Override
  public Hold downgrade(Hold writer) {
    boolean fits =
        writer instanceof HoldHandle held
            && held.holdState().request().resource().equals(view.resource(name))
            && held.holdState().request().client() == view.client()
            && held.holdState().claim().ticket().weight() == ALL;
    if (!fits) {
      throw new IllegalArgumentException(
          "only a writer's hold of " + name() + " can be downgraded: hold=" + writer);
    }
    return downgraded((HoldHandle) writer);
  }

  HoldHandle downgraded(HoldHandle writer) {
    writer.ensureHeld();
    Client client = view.client();
    Claim claim = writer.holdState().claim();
    BlockingReply<Standing> answered = new BlockingReply<>(client.world());
    claim.shrink(1, answered);
    Standing standing = answered.await();
    if (standing instanceof Standing.Granted granted && granted.token() == writer.token()) {
      return writer.holdState().succeedAs(Kind.READ);
    }
    EngineException failure = answered.failure();
    if (failure instanceof EngineException.NotDone) {
      throw new StoreUnavailableException(
          "no downgrade of " + name() + " at " + client.store() + "; the writer's hold stands",
          failure);
    }
    // It may be a reader's claim in the store by now, so it must not be believed as a writer's.
    client.lose(claim, Loss.Cause.EXPIRED, "its downgrade got no certain reply");
    writer.ensureHeld();
    throw new IllegalStateException("hold ended during its downgrade: " + name());
  }

  @Override
  public JavaReadWriteLock asJavaLock() {
    return new JavaReadWriteLock() {
      @Override
      public JavaLock readLock() {
        return new ThreadOwnedLock(side(1), /* shared= */ true, DefaultReadWriteLock.this);
      }

      @Override
      public JavaLock writeLock() {
        return new ThreadOwnedLock(side(ALL), /* shared= */ false, DefaultReadWriteLock.this);
      }
    };
  }
}
