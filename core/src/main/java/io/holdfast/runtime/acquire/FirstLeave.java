package io.holdfast.runtime.acquire;

import io.holdfast.Outcome;
import io.holdfast.runtime.client.Client;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Verb;
import java.util.function.Consumer;

/** The first leave of a held claim; its reply is the outcome of the release. */
final class FirstLeave implements Verb.Answer<Left> {

  private final Client client;
  private final Claim claim;
  private final Consumer<Outcome> done;

  FirstLeave(Client client, Claim claim, Consumer<Outcome> done) {
    this.client = client;
    this.claim = claim;
    this.done = done;
  }

  @Override
  public void answered(Left left) {
    client.storeStatus().heard();
    done.accept(left == Left.HOLDING ? Outcome.RELEASED : Outcome.LOST);
  }

  @Override
  public void failed(EngineException failure) {
    client.storeStatus().failed(failure);
    client.leaver().takeOver(claim);
    done.accept(Outcome.UNKNOWN);
  }
}
