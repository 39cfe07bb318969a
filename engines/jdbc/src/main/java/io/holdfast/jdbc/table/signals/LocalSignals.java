package io.holdfast.jdbc.table.signals;

import io.holdfast.jdbc.table.layout.VerbResult;
import io.holdfast.jdbc.table.layout.WakeMessage;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.WaiterRegistry;
import java.util.List;
import java.util.function.LongSupplier;

/** Wakes among the tickets of one client. Changes of other clients are found by polling. */
public final class LocalSignals implements LockSignals {

  private final WaiterRegistry<Resource> waiters;

  public LocalSignals(LongSupplier nanoTime) {
    this.waiters = new WaiterRegistry<>(nanoTime);
  }

  WaiterRegistry<Resource> waiters() {
    return waiters;
  }

  @Override
  public void beforeSend(Verb verb) {
    if (verb instanceof Verb.Attempt attempt && verb.ticket().waits()) {
      waiters.arm(verb.ticket().resource(), verb.ticket(), attempt.wake());
    }
  }

  @Override
  public void beforeComplete(VerbResult answer) {
    Verb verb = answer.verb();
    Ticket ticket = verb.ticket();
    if (answer.isWaiting()) {
      waiters.setPlace(ticket.id(), answer.place());
    } else if (verb instanceof Verb.Attempt || verb instanceof Verb.Leave) {
      boolean inDoubt =
          answer.what() instanceof EngineException failure
              && !(failure instanceof EngineException.Refused);
      if (!inDoubt) {
        waiters.remove(ticket.id());
      }
    }
  }

  @Override
  public void roomMade(List<WakeMessage> calls) {
    calls.forEach(wake -> waiters.wake(wake.resource(), wake.places()));
  }

  @Override
  public void close() {}
}
