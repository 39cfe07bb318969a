package io.holdfast.jdbc;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.List;

/** A lane that knows batches: a verb by itself is a batch of one. */
interface BatchLane extends LockEngine {

  @Override
  void perform(List<Verb> batch);

  @Override
  default Standing attempt(Ticket ticket, Wake wake) throws EngineException {
    Waited<Standing> answer = new Waited<>();
    perform(List.of(new Verb.Attempt(ticket, wake, answer)));
    return answer.get();
  }

  @Override
  default Renewal renew(Ticket ticket) throws EngineException {
    Waited<Renewal> answer = new Waited<>();
    perform(List.of(new Verb.Renew(ticket, answer)));
    return answer.get();
  }

  @Override
  default Left leave(Ticket ticket, boolean inDoubt) throws EngineException {
    Waited<Left> answer = new Waited<>();
    perform(List.of(new Verb.Leave(ticket, inDoubt, answer)));
    return answer.get();
  }

  @Override
  default boolean settle(Ticket ticket, Duration keep) throws EngineException {
    Waited<Boolean> answer = new Waited<>();
    perform(List.of(new Verb.Settle(ticket, keep, answer)));
    return answer.get();
  }

  @Override
  default boolean resize(Ticket ticket) throws EngineException {
    Waited<Boolean> answer = new Waited<>();
    perform(List.of(new Verb.Resize(ticket, answer)));
    return answer.get();
  }
}
