package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One run in a period: a mutex whose success leaves a mark. */
final class MarkedRun implements Once {

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration MOST_SLACK = Duration.ofMinutes(1);
  private static final long PAUSE = 100_000_000L;

  private final View view;
  private final LineLock lock;
  private final Duration mark;

  MarkedRun(View view, Name name, Duration every) {
    if (every.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException("every must be >= " + SHORTEST + ": every=" + every);
    }
    Duration tenth = every.dividedBy(10);
    this.view = view;
    this.mark = every.minus(tenth.compareTo(MOST_SLACK) < 0 ? tenth : MOST_SLACK);
    this.lock = new LineLock(view, name, view.resource(name), Shape.once(), 1);
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

  private <X extends Exception> Result finish(LineLock.Ended ended, Body<X> body) throws X {
    if (ended.result() instanceof Waiter.Result.Done) {
      return Result.DONE;
    }
    if (!(ended.result() instanceof Waiter.Result.Got got)) {
      return Result.BUSY;
    }
    try (HeldLock hold = got.hold()) {
      long start = view.client().world().nanoTime();
      body.run(hold);
      hold.ensureHeld();
      settle(hold, start);
      return Result.RAN;
    }
  }

  private void settle(HeldLock hold, long start) {
    World world = view.client().world();
    Claim claim = hold.tenure().claim();
    long deadline = claim.deadline();
    @Nullable EngineException failure = null;
    while (deadline - world.nanoTime() > 0) {
      Duration keep = mark.minusNanos(world.nanoTime() - start);
      if (keep.isNegative() || keep.isZero()) {
        return;
      }
      Answered<Boolean> answered = new Answered<>(view.client().world());
      claim.settle(keep, answered);
      Boolean settled = answered.await();
      if (settled != null) {
        settled(hold, settled);
        return;
      }
      failure = answered.failure();
      if (failure instanceof EngineException.Refused) {
        giveUp(claim);
        throw new LockRefusedException(
            "the run of " + hold.name() + " is done, but its mark was refused", failure);
      }
      pause(world);
    }
    giveUp(claim);
    throw new OutcomeUnknownException(
        "the run of "
            + hold.name()
            + " is done, but its mark at "
            + view.client().store()
            + " is in doubt; another may run it in this period",
        failure);
  }

  private void giveUp(Claim claim) {
    view.client().renewals().remove(claim);
    view.client().leaver().takeOver(claim);
  }

  /** The run is over, so an interrupt must not keep its mark from being set. */
  private void pause(World world) {
    long until = world.nanoTime() + PAUSE;
    boolean interrupted = Thread.interrupted();
    for (long left = PAUSE; left > 0; left = until - world.nanoTime()) {
      world.park(this, left);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void settled(HeldLock hold, boolean settled) {
    view.client().renewals().remove(hold.tenure().claim());
    if (settled) {
      hold.tenure().endQuietly();
    } else {
      hold.tenure().lose(Loss.Cause.TAKEN, "the store did not know the claim when it was marked");
    }
  }
}
