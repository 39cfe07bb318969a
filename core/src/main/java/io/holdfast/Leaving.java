package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Verb;
import java.util.function.Consumer;

/** The first leave of a claim that was held: its answer is the outcome of the release. */
final class Leaving implements Verb.Answer<Left> {

  private final Client client;
  private final Claim claim;
  private final Consumer<Outcome> done;

  Leaving(Client client, Claim claim, Consumer<Outcome> done) {
    this.client = client;
    this.claim = claim;
    this.done = done;
  }

  @Override
  public void answered(Left left) {
    client.pulse().heard();
    done.accept(left == Left.HOLDING ? Outcome.RELEASED : Outcome.LOST);
  }

  @Override
  public void failed(EngineException failure) {
    client.pulse().failed(failure);
    client.leaver().takeOver(claim);
    done.accept(Outcome.UNKNOWN);
  }
}
