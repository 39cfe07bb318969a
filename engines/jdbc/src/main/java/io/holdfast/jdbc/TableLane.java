package io.holdfast.jdbc;

import io.holdfast.jdbc.table.Answer;
import io.holdfast.jdbc.table.Ledger;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The engine over the connection of one lane. */
final class TableLane implements BatchLane {

  private final EngineTraits traits;
  private final Runner runner;
  private final Ledger ledger;
  private final Waiting waiting;

  TableLane(EngineTraits traits, Runner runner, Ledger ledger, Waiting waiting) {
    this.traits = traits;
    this.runner = runner;
    this.ledger = ledger;
    this.waiting = waiting;
  }

  @Override
  public void perform(List<Verb> batch) {
    List<Verb> asked = new ArrayList<>(batch.size());
    for (Verb verb : batch) {
      Optional<Answer> refused = ledger.refusal(verb);
      if (refused.isPresent()) {
        refused.get().tell();
      } else if (!verb.isComplete()) {
        waiting.before(verb);
        asked.add(verb);
      }
    }
    if (!asked.isEmpty()) {
      together(asked);
    }
  }

  private void together(List<Verb> verbs) {
    try {
      tell(runner.transaction(link -> ledger.run(link, verbs)));
    } catch (EngineException e) {
      if (e instanceof EngineException.Refused && verbs.size() > 1) {
        // One of them is to blame, and must not spoil the others.
        verbs.forEach(verb -> together(List.of(verb)));
      } else {
        verbs.forEach(verb -> verb.fail(e));
      }
    }
  }

  private void tell(List<Answer> answers) {
    for (Answer answer : answers) {
      waiting.after(answer);
      answer.tell();
    }
  }

  @Override
  public EngineTraits traits() {
    return traits;
  }

  /** May come from another thread, to break off what takes too long. */
  @Override
  public void close() {
    runner.close();
  }
}
