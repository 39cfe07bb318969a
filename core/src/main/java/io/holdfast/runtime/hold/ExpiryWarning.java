package io.holdfast.runtime.hold;

import io.holdfast.runtime.client.Client;

/** Calls back when the deadline of a hold is near and no renewal was confirmed. */
final class ExpiryWarning {

  private final Client client;
  private final HoldState holdState;
  private final long lead;
  private final Runnable callback;

  ExpiryWarning(Client client, HoldState holdState, long lead, Runnable callback) {
    this.client = client;
    this.holdState = holdState;
    this.lead = lead;
    this.callback = callback;
  }

  /** Sleeps until the lead before the deadline; then checks whether the deadline has moved. */
  void watch() {
    if (holdState.isOver()) {
      return;
    }
    long left = holdState.claim().deadline() - client.world().nanoTime();
    if (left <= 0) {
      return;
    }
    if (left <= lead) {
      client.call(callback);
    } else {
      client.world().schedule(left - lead, this::watch);
    }
  }
}
