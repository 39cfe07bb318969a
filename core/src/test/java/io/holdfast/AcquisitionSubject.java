package io.holdfast;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.runtime.acquire.AcquireRequest;
import io.holdfast.runtime.acquire.Acquisition;
import io.holdfast.runtime.acquire.Claim;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.client.ClientView;
import io.holdfast.runtime.client.LockName;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * For {@link RuntimeLincheckTest}: an acquire that is woken and cancelled at the same time. A
 * ticket that has left must not be in the store afterwards.
 */
public class AcquisitionSubject implements Acquisition.Goal {
  private final MemoryEngine engine = RuntimeLincheckTest.engine();
  private final Client client = RuntimeLincheckTest.client(engine);
  private final Ticket holder = Tickets.of("a", Shape.mutex(Order.FIFO), 1);
  private final Acquisition acquisition;
  private final Claim claim;
  private volatile boolean cancelled;

  public AcquisitionSubject() throws EngineException {
    engine.attempt(holder, () -> {});
    ClientView view = client.view(client.options());
    LockName name = LockName.plain("a");
    AcquireRequest request =
        new AcquireRequest(view, name, view.resource(name), AcquireRequest.Caller.BLOCKING);
    claim = client.claim(request, view.terms(), Shape.mutex(Order.FIFO), 1, true);
    acquisition = new Acquisition(client, claim, this);
    acquisition.start();
  }

  @Operation
  public void wake() {
    acquisition.wake();
  }

  @Operation(runOnce = true)
  public void holderLeaves() throws EngineException {
    engine.leave(holder, false);
  }

  @Operation(runOnce = true)
  public void cancel() {
    cancelled = true;
    acquisition.cancel();
  }

  @Override
  public void granted(Claim granted) {
    client.leaver().takeOver(granted);
  }

  @Override
  public void busy() {}

  @Override
  public void done(Standing.Done done) {}

  @Override
  public void refused(EngineException refusal) {}

  @Validate
  public void nothingIsLeftAfterACancel() throws EngineException {
    if (cancelled) {
      var line = engine.inspector().orElseThrow().show(claim.ticket().resource());
      boolean left =
          line.stream()
              .flatMap(view -> view.tickets().stream())
              .anyMatch(ticket -> ticket.owner().equals(claim.ticket().owner()));
      if (left) {
        throw new IllegalStateException("a ticket that has left is in the store: " + line);
      }
    }
  }
}
