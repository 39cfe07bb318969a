package io.holdfast;

/** Watches the end of one hold come near: calls back when it is that close and not renewed. */
final class Expiring {

  private final Client client;
  private final Tenure tenure;
  private final long lead;
  private final Runnable callback;

  Expiring(Client client, Tenure tenure, long lead, Runnable callback) {
    this.client = client;
    this.tenure = tenure;
    this.lead = lead;
    this.callback = callback;
  }

  /** Sleeps until the lead before the deadline; looks whether the deadline has moved by then. */
  void watch() {
    if (tenure.isOver()) {
      return;
    }
    long left = tenure.claim().deadline() - client.world().nanoTime();
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
