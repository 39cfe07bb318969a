package io.holdfast.runtime.acquire;

import io.holdfast.Outcome;
import io.holdfast.runtime.client.Client;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.function.Consumer;

/** The first settle of a mutex that stays taken; its reply is the outcome of the release. */
final class FirstSettle implements Verb.Answer<Boolean> {

  private final Client client;
  private final Claim claim;
  private final Duration keep;
  private final Consumer<Outcome> done;

  FirstSettle(Client client, Claim claim, Duration keep, Consumer<Outcome> done) {
    this.client = client;
    this.claim = claim;
    this.keep = keep;
    this.done = done;
  }

  void send() {
    // In this order: a client that closes sees the claim as held or as leaving.
    Verb.Answer<Boolean> counted = client.leaver().counted(this);
    client.renewals().remove(claim);
    claim.settle(keep, counted);
  }

  @Override
  public void answered(Boolean settled) {
    client.storeStatus().heard();
    done.accept(settled ? Outcome.RELEASED : Outcome.LOST);
  }

  @Override
  public void failed(EngineException failure) {
    client.storeStatus().failed(failure);
    if (failure instanceof EngineException.Refused) {
      client.log(
          System.Logger.Level.WARNING,
          claim.ticket().resource()
              + " could not be kept, and is free when its lease has ended: "
              + failure.getMessage());
      client.leaver().takeOverWhenEnded(claim);
    } else {
      client.leaver().keepLater(claim, keep);
    }
    done.accept(Outcome.UNKNOWN);
  }
}
