package io.holdfast.runtime.acquire;

import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.hold.HoldState;
import java.time.Duration;
import java.util.function.Consumer;

/** Releases holds that have a ticket of their own: the ticket leaves the store. */
public final class DirectRelease implements ReleaseRoute {

  private final Client client;

  public DirectRelease(Client client) {
    this.client = client;
  }

  @Override
  public void release(HoldState holdState, Consumer<Outcome> done) {
    Claim claim = holdState.claim();
    claim.leave(new FirstLeave(client, claim, done));
  }

  @Override
  public void keep(HoldState holdState, Duration keepFor, Consumer<Outcome> done) {
    new FirstSettle(client, holdState.claim(), keepFor, done).send();
  }

  @Override
  public void lost(Claim claim, Loss.Cause cause, String reason) {
    if (claim.end()) {
      client
          .leaver()
          .whileOpen(
              () -> {
                client.renewals().remove(claim);
                client.tellLoss(claim, cause, reason);
              });
    }
  }
}
