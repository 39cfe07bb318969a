package io.holdfast;

import java.util.function.Consumer;

/** The exit of holds with a ticket of their own: straight out of the store. */
final class WayOut implements Exit {

  private final Client client;

  WayOut(Client client) {
    this.client = client;
  }

  @Override
  public void release(Tenure tenure, Consumer<Outcome> done) {
    Claim claim = tenure.claim();
    client.renewals().remove(claim);
    claim.leave(new Leaving(client, claim, done));
  }

  @Override
  public void lost(Claim claim, Loss.Cause cause, String reason) {
    if (claim.end()) {
      client.renewals().remove(claim);
      client.tellLoss(claim, cause, reason);
    }
  }
}
