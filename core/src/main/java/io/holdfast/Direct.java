package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import java.util.function.Consumer;

/**
 * One waiter with a ticket of its own in the store: FIFO mutexes, semaphores, read/write locks,
 * fixed leases and marks. Nothing is handed over.
 */
final class Direct implements Place, Exit, Acquisition.Goal {

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
    HeldLock hold = Tenure.begin(claim, this, waiter.request(), 0);
    if (waiter.offer(new Waiter.Result.Got(hold))) {
      hold.tenure().began(/* handedOver= */ false);
    } else {
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
  public void withdraw(Waiter gone) {
    client.notWaitingHere(this);
    acquisition.cancel();
  }

  @Override
  public void retry(Waiter nudged) {}

  @Override
  public Word word() {
    return acquisition.word();
  }

  /** Ends waiting because the client closes. */
  void close() {
    if (waiter.offer(Verdict.closed(waiter.request()))) {
      withdraw(waiter);
    }
  }

  @Override
  public void release(Tenure tenure, Consumer<Outcome> done) {
    Claim claim = tenure.claim();
    client.renewals().remove(claim);
    claim.leave(new Leaving(client, claim, done));
  }

  @Override
  public void lost(Claim claim, Loss.Cause cause, String reason) {
    if (!claim.end()) {
      return;
    }
    client.renewals().remove(claim);
    Tenure tenure = claim.tenure();
    if (tenure != null) {
      tenure.lose(cause, reason);
    }
    client.leaver().takeOver(claim);
  }
}
