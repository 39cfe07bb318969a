package io.holdfast.runtime.acquire;

import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.runtime.hold.HoldState;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;

/**
 * One waiter with a ticket of its own in the store.
 *
 * <p>For FIFO mutexes, semaphores, read/write locks, fixed leases and marks. Nothing is handed over
 * locally.
 */
public final class DirectAcquire implements WaitQueue, Acquisition.Goal {

  private final Client client;
  private final Waiter waiter;
  private final Acquisition acquisition;

  public DirectAcquire(Client client, Claim claim, Waiter waiter) {
    this.client = client;
    this.waiter = waiter;
    this.acquisition = new Acquisition(client, claim, this);
  }

  public void start() {
    client.waitingHere(this);
    acquisition.start();
  }

  @Override
  public void granted(Claim claim) {
    if (client.isClosing()) {
      client.notWaitingHere(this);
      client.leaver().takeOver(claim);
      waiter.offer(WaitOutcome.closed(waiter.request()));
      return;
    }
    // In this order: a client that drains or closes sees the claim, with the hold to end, or its
    // caller as waiting.
    HoldHandle hold = HoldState.begin(claim, client.wayOut(), waiter.request(), 0);
    client.renewals().add(claim);
    client.notWaitingHere(this);
    if (!waiter.offer(new Waiter.Result.Got(hold))) {
      client.leaver().takeOver(claim);
    }
  }

  @Override
  public void busy() {
    client.notWaitingHere(this);
    waiter.offer(new Waiter.Result.Busy(acquisition.replies()));
  }

  @Override
  public void done(Standing.Done done) {
    client.notWaitingHere(this);
    waiter.offer(new Waiter.Result.Done(done));
  }

  @Override
  public void refused(EngineException refusal) {
    client.notWaitingHere(this);
    waiter.offer(WaitOutcome.refused(waiter.request(), refusal));
  }

  @Override
  public StoreReplies withdraw(Waiter gone) {
    client.notWaitingHere(this);
    return acquisition.cancel();
  }

  @Override
  public void retry(Waiter nudged) {}

  /** Ends the wait because the client closes. */
  public void close() {
    if (waiter.offer(WaitOutcome.closed(waiter.request()))) {
      withdraw(waiter);
    }
  }
}
