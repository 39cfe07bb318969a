package io.holdfast.jdbc;

import io.holdfast.jdbc.table.Answer;
import io.holdfast.jdbc.table.Broom;
import io.holdfast.jdbc.table.Ledger;
import io.holdfast.jdbc.table.Quick;
import io.holdfast.jdbc.wire.Link;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Verb;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The engine over the connection of one lane. */
final class TableLane implements BatchEngine {

  /** One statement for many verbs of a kind. */
  private interface Statement {
    List<Answer> run(Link link, List<Verb> verbs) throws SQLException;
  }

  private final EngineTraits traits;
  private final Runner runner;
  private final Ledger ledger;
  private final @Nullable Quick quick;
  private final Waiting waiting;
  private final Broom broom;

  /**
   * A lane.
   *
   * @param quick the quick way, where there is one
   */
  TableLane(
      EngineTraits traits,
      Runner runner,
      Ledger ledger,
      @Nullable Quick quick,
      Waiting waiting,
      Broom broom) {
    this.traits = traits;
    this.runner = runner;
    this.ledger = ledger;
    this.quick = quick;
    this.waiting = waiting;
    this.broom = broom;
  }

  @Override
  public void perform(List<Verb> batch) {
    Sorted sorted = new Sorted(quick != null);
    for (Verb verb : batch) {
      Optional<Answer> refused = ledger.refusal(verb);
      if (refused.isPresent()) {
        refused.get().tell();
      } else if (!verb.isComplete()) {
        waiting.before(verb);
        sorted.add(verb);
      }
    }
    List<Verb> rest = sorted.rest();
    if (quick != null) {
      // Those that leave first: they make room.
      rest.addAll(quickly(sorted.leaves(), quick::leaves));
      rest.addAll(quickly(sorted.renewals(), quick::renewals));
      rest.addAll(quickly(sorted.attempts(), quick::attempts));
    }
    if (!rest.isEmpty()) {
      thoroughly(rest);
    }
    tidy();
  }

  /** After everybody has an answer, so that nobody waits for it. */
  private void tidy() {
    if (broom.isDue()) {
      try {
        int ignored = broom.sweep(runner);
      } catch (EngineException | RuntimeException e) {
        // The verbs that come next will say what is wrong.
      }
    }
  }

  /** Answers those that are not done yet. */
  private List<Verb> quickly(List<Verb> verbs, Statement statement) {
    if (verbs.isEmpty()) {
      return verbs;
    }
    try {
      tell(runner.statement(link -> statement.run(link, verbs)));
    } catch (EngineException.Refused e) {
      // One of them is to blame: the other way finds out which.
      return verbs;
    } catch (EngineException e) {
      verbs.forEach(verb -> verb.fail(e));
    }
    return verbs.stream().filter(verb -> !verb.isComplete()).toList();
  }

  /*
   * Many rows are never waited for with others in hand: clients whose batches overlap would queue up
   * one behind the other, each with all of its rows locked, until none of them gets its answer in
   * time. So a batch first does what nobody is in the way of, again and again while that gets it on;
   * a resource that is still locked then is waited for by itself. Every round does at least one.
   */
  private void thoroughly(List<Verb> verbs) {
    List<Verb> rest = verbs;
    while (rest.stream().map(TableLane::resource).distinct().count() > 1) {
      List<Verb> left = transact(rest, /* patient= */ false);
      if (left.size() == rest.size()) {
        Resource first = resource(left.get(0));
        transact(left.stream().filter(verb -> resource(verb).equals(first)).toList(), true);
        left = left.stream().filter(verb -> !resource(verb).equals(first)).toList();
      }
      rest = left;
    }
    if (!rest.isEmpty()) {
      transact(rest, /* patient= */ true);
    }
  }

  private static Resource resource(Verb verb) {
    return verb.ticket().resource();
  }

  /** Answers those about which nothing was done, as others have their rows locked. */
  private List<Verb> transact(List<Verb> verbs, boolean patient) {
    try {
      Ledger.Outcome outcome = runner.transaction(link -> ledger.run(link, verbs, patient));
      tell(outcome.answers());
      waiting.called(outcome.calls());
      return outcome.left();
    } catch (EngineException e) {
      if (e instanceof EngineException.Refused && verbs.size() > 1) {
        // One of them is to blame, and must not spoil the others.
        verbs.forEach(verb -> transact(List.of(verb), /* patient= */ true));
      } else {
        verbs.forEach(verb -> verb.fail(e));
      }
      return List.of();
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
