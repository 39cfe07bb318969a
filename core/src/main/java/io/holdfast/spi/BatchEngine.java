package io.holdfast.spi;

import java.time.Duration;
import java.util.List;

/**
 * An engine, or a lane of one, that implements batches alone.
 *
 * <p>A single verb is a batch of one and throws the failure of that verb.
 */
public interface BatchEngine extends LockEngine {

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
