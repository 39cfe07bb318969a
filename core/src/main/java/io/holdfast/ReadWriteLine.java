package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;

/** A read/write lock: a reader takes 1 of the line, a writer all of it. */
final class ReadWriteLine implements DistributedReadWriteLock {

  private static final int ALL = Shape.READ_WRITE_CAPACITY;

  private final View view;
  private final Name name;

  ReadWriteLine(View view, Name name) {
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

  private LineLock side(int weight) {
    return new LineLock(view, name, view.resource(name), Shape.readWrite(), weight);
  }

  @Override
  public Hold downgrade(Hold writer) {
    boolean fits =
        writer instanceof HeldLock held
            && held.tenure().request().resource().equals(view.resource(name))
            && held.tenure().request().client() == view.client()
            && held.tenure().claim().ticket().weight() == ALL;
    if (!fits) {
      throw new IllegalArgumentException(
          "only a writer's hold of " + name() + " can be downgraded: hold=" + writer);
    }
    return downgraded((HeldLock) writer);
  }

  HeldLock downgraded(HeldLock writer) {
    writer.ensureHeld();
    Client client = view.client();
    Claim claim = writer.tenure().claim();
    Answered<Standing> answered = new Answered<>(client.world());
    claim.shrink(1, answered);
    Standing standing = answered.await();
    if (standing instanceof Standing.Granted granted && granted.token() == writer.token()) {
      return writer.tenure().succeed();
    }
    EngineException failure = answered.failure();
    if (failure instanceof EngineException.NotDone) {
      throw new StoreUnavailableException(
          "no downgrade of " + name() + " at " + client.store() + "; the writer's hold stands",
          failure);
    }
    // It may be a reader's claim in the store by now: to go on believing in a writer's would be
    // wrong.
    client.lose(claim, Loss.Cause.EXPIRED, "its downgrade had no certain answer");
    writer.ensureHeld();
    throw new IllegalStateException("hold ended during its downgrade: " + name());
  }

  @Override
  public JavaReadWriteLock asJavaLock() {
    return new JavaReadWriteLock() {
      @Override
      public JavaLock readLock() {
        return new ThreadOwnedLock(side(1), /* shared= */ true, ReadWriteLine.this);
      }

      @Override
      public JavaLock writeLock() {
        return new ThreadOwnedLock(side(ALL), /* shared= */ false, ReadWriteLine.this);
      }
    };
  }
}
