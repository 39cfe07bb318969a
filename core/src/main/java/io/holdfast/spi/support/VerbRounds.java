package io.holdfast.spi.support;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineException.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Runs the steps of a batch in rounds, one trip to the store each, until all are done.
 *
 * <p>A lane makes a {@link VerbStep} of each verb that its {@link Admission} admits, and gives them
 * to {@link #run} with its trip. Most batches take one round. A step that returns {@link
 * VerbStep#AGAIN} is part of the next round, with all others that do.
 *
 * <p>A trip that fails as a whole fails its steps. If the store refused it, one step may be to
 * blame and must not fail the others: each then gets a trip of its own.
 *
 * <pre>{@code
 * public void perform(List<Verb> batch) {
 *   List<Step> open = new ArrayList<>();
 *   for (Verb verb : admission.admit(batch)) {
 *     open.add(step(verb));
 *   }
 *   VerbRounds.run(open, (round, replies) -> {
 *     List<Reply> all = connection.send(round.stream().map(Step::ask).toList());
 *     for (int i = 0; i < round.size(); i++) {
 *       replies.pass(round.get(i), all.get(i));
 *     }
 *   });
 * }
 * }</pre>
 */
public final class VerbRounds {

  /**
   * Sends the requests of one round and passes the replies on.
   *
   * @param <S> the steps of an engine
   * @param <R> the reply to one step
   */
  @FunctionalInterface
  public interface Trip<S, R> {

    /**
     * Makes one trip. Calls one method of {@code replies} for each step of the round, in any order
     * and as soon as the outcome is known.
     *
     * @throws EngineException when the whole trip failed, before a reply was passed on
     */
    void run(List<S> round, Replies<S, R> replies) throws EngineException;
  }

  /**
   * The outcomes of one trip.
   *
   * @param <S> the steps of an engine
   * @param <R> the reply to one step
   */
  public interface Replies<S, R> {

    /** Passes the reply to a step on. */
    void pass(S step, R reply);

    /** Puts a step into the next round: the trip did nothing for it. */
    void again(S step);

    /** Fails a step. */
    void fail(S step, EngineException why);
  }

  private VerbRounds() {}

  /** Runs steps until all are done. */
  public static <R, S extends VerbStep<R>> void run(List<S> steps, Trip<S, R> trip) {
    run(steps, UnaryOperator.identity(), trip);
  }

  /**
   * Runs steps until all are done, some of them in each round.
   *
   * @param choice returns the steps of the next round, at least one: a new list, or all that it got
   */
  public static <R, S extends VerbStep<R>> void run(
      List<S> steps, UnaryOperator<List<S>> choice, Trip<S, R> trip) {
    List<S> open = steps;
    while (!open.isEmpty()) {
      List<S> round = choice.apply(open);
      Round<R, S> outcome = new Round<>();
      outcome.run(round, trip);
      List<S> next = outcome.again;
      if (round.size() < open.size()) {
        open.stream().filter(step -> !round.contains(step)).forEach(next::add);
      }
      open = next;
    }
  }

  private static final class Round<R, S extends VerbStep<R>> implements Replies<S, R> {

    final List<S> again = new ArrayList<>();

    void run(List<S> steps, Trip<S, R> trip) {
      try {
        trip.run(steps, this);
      } catch (EngineException e) {
        if (e instanceof Refused && steps.size() > 1) {
          steps.forEach(step -> run(List.of(step), trip));
        } else {
          steps.forEach(step -> fail(step, e));
        }
      }
      again.removeIf(Round::endIfOver);
    }

    @Override
    public void pass(S step, R reply) {
      try {
        if (step.hear(reply) == VerbStep.DONE) {
          step.end();
        } else {
          again.add(step);
        }
      } catch (EngineException e) {
        fail(step, e);
      }
    }

    @Override
    public void again(S step) {
      again.add(step);
    }

    @Override
    public void fail(S step, EngineException why) {
      step.fail(why);
      step.end();
    }

    private static boolean endIfOver(VerbStep<?> step) {
      boolean over = step.isOver();
      if (over) {
        step.end();
      }
      return over;
    }
  }
}
