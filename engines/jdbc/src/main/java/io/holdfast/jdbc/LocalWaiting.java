package io.holdfast.jdbc;

import io.holdfast.jdbc.table.Answer;
import io.holdfast.jdbc.table.Signal;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.List;
import java.util.function.LongSupplier;

/** Tickets of one client that stand in one line wake each other; what others do, they find out. */
final class LocalWaiting implements Waiting {

  private final Waiters waiters;

  LocalWaiting(LongSupplier nanoTime) {
    this.waiters = new Waiters(nanoTime);
  }

  Waiters waiters() {
    return waiters;
  }

  @Override
  public void before(Verb verb) {
    if (verb instanceof Verb.Attempt attempt && verb.ticket().waits()) {
      waiters.add(verb.ticket(), attempt.wake());
    }
  }

  @Override
  public void after(Answer answer) {
    Verb verb = answer.verb();
    Ticket ticket = verb.ticket();
    if (answer.isWaiting()) {
      waiters.stays(ticket, answer.place());
    } else if (verb instanceof Verb.Attempt || verb instanceof Verb.Leave) {
      boolean inDoubt =
          answer.what() instanceof EngineException failure
              && !(failure instanceof EngineException.Refused);
      if (!inDoubt) {
        waiters.remove(ticket);
      }
    }
  }

  @Override
  public void called(List<Signal> calls) {
    calls.forEach(waiters::hear);
  }

  @Override
  public void close() {}
}
