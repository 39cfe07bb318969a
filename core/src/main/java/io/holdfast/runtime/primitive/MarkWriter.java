package io.holdfast.runtime.primitive;

import io.holdfast.HoldfastException;
import io.holdfast.LockRefusedException;
import io.holdfast.Loss;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.runtime.acquire.Claim;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Marks a finished run in the store, and retries until the hold's deadline. Never blocks. */
final class MarkWriter implements Verb.Answer<Boolean> {

  private static final long PAUSE = 100_000_000L;

  private final Client client;
  private final HoldHandle hold;
  private final Claim claim;
  private final long deadline;
  private final long markEnd;
  private final Consumer<Optional<HoldfastException>> done;
  private @Nullable EngineException failure;

  /**
   * Creates the writer of one mark.
   *
   * @param markEnd the local time at which the mark is to end
   * @param done receives the failure, if the mark could not be set, on any thread. The hold has
   *     ended if the store replied, as released or lost.
   */
  MarkWriter(
      Client client, HoldHandle hold, long markEnd, Consumer<Optional<HoldfastException>> done) {
    this.client = client;
    this.hold = hold;
    this.claim = hold.holdState().claim();
    this.deadline = claim.deadline();
    this.markEnd = markEnd;
    this.done = done;
  }

  void write() {
    long now = client.world().nanoTime();
    if (deadline - now <= 0) {
      giveUp();
      done.accept(
          Optional.of(
              new OutcomeUnknownException(
                  "the run of "
                      + hold.name()
                      + " is done, but its mark at "
                      + client.store()
                      + " is in doubt; another caller may run it again in this period",
                  failure)));
    } else if (markEnd - now <= 0) {
      done.accept(Optional.empty());
    } else {
      claim.settle(Duration.ofNanos(markEnd - now), client.leaver().counted(this));
    }
  }

  @Override
  public void answered(Boolean settled) {
    client.renewals().remove(claim);
    if (settled) {
      hold.holdState().endQuietly();
    } else {
      hold.holdState()
          .lose(Loss.Cause.TAKEN, "the store did not know the claim when it was marked");
    }
    done.accept(Optional.empty());
  }

  @Override
  public void failed(EngineException why) {
    failure = why;
    if (why instanceof EngineException.Refused) {
      giveUp();
      done.accept(
          Optional.of(
              new LockRefusedException(
                  "the run of " + hold.name() + " is done, but its mark was refused", why)));
    } else {
      client.world().schedule(PAUSE, this::write);
    }
  }

  private void giveUp() {
    client.leaver().takeOver(claim);
  }
}
