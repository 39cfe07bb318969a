package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;

/**
 * One waiter with a ticket of its own in the store: FIFO mutexes, semaphores, read/write locks,
 * fixed leases and marks. Nothing is handed over.
 */
final class Direct implements Place, Acquisition.Goal {

  private final Client client;
  private final Waiter waiter;
  private final Acquisition acquisition;

  Direct(Client client, Claim claim, Waiter waiter) {
    this.client = client;
    this.waiter = waiter;
    this.acquisition = new Acquisition(client, claim, this);
  }

  void start() {
    client.waitingHere(this);
    acquisition.start();
  }

  @Override
  public void granted(Claim claim) {
    client.notWaitingHere(this);
    if (client.isClosing()) {
      client.leaver().takeOver(claim);
      waiter.offer(Verdict.closed(waiter.request()));
      return;
    }
    client.renewals().add(claim);
    HeldLock hold = Tenure.begin(claim, client.wayOut(), waiter.request(), 0);
    if (!waiter.offer(new Waiter.Result.Got(hold))) {
      client.renewals().remove(claim);
      client.leaver().takeOver(claim);
    }
  }

  @Override
  public void busy() {
    client.notWaitingHere(this);
    waiter.offer(new Waiter.Result.Busy(acquisition.word()));
  }

  @Override
  public void done(Standing.Done done) {
    client.notWaitingHere(this);
    waiter.offer(new Waiter.Result.Done(done));
  }

  @Override
  public void refused(EngineException refusal) {
    client.notWaitingHere(this);
    waiter.offer(Verdict.refused(waiter.request(), refusal));
  }

  @Override
  public Word withdraw(Waiter gone) {
    client.notWaitingHere(this);
    return acquisition.cancel();
  }

  @Override
  public void retry(Waiter nudged) {}

  /** Ends waiting because the client closes. */
  void close() {
    if (waiter.offer(Verdict.closed(waiter.request()))) {
      withdraw(waiter);
    }
  }
}
