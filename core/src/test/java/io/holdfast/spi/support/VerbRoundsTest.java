package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerbRoundsTest {

  /** What happened, in order: trips as the names of their steps, and the outcome of each step. */
  private final List<String> log = new ArrayList<>();

  /** Is done after so many replies. */
  private final class Step implements VerbStep<String> {
    private final String name;
    private int repliesLeft;
    private boolean over;

    Step(String name, int replies) {
      this.name = name;
      this.repliesLeft = replies;
    }

    @Override
    public boolean hear(String reply) throws EngineException {
      if (reply.equals("bad")) {
        throw new EngineException.Unknown("bad reply", null);
      }
      return --repliesLeft == 0 ? DONE : AGAIN;
    }

    @Override
    public void fail(EngineException failure) {
      log.add(name + " failed: " + failure.getMessage());
    }

    @Override
    public boolean isOver() {
      return over;
    }

    @Override
    public void end() {
      log.add(name + " ended");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private void trip(List<Step> round, VerbRounds.Replies<Step, String> replies) {
    log.add("trip " + round);
    round.forEach(step -> replies.pass(step, "ok"));
  }

  @Test
  void steps_that_ask_again_share_the_next_round() {
    VerbRounds.run(List.of(new Step("a", 1), new Step("b", 2), new Step("c", 3)), this::trip);
    assertThat(log)
        .containsExactly(
            "trip [a, b, c]", "a ended", "trip [b, c]", "b ended", "trip [c]", "c ended");
  }

  @Test
  void nothing_to_do_makes_no_trip() {
    VerbRounds.run(List.<Step>of(), this::trip);
    assertThat(log).isEmpty();
  }

  @Test
  void steps_that_were_not_chosen_follow_those_that_ask_again() {
    VerbRounds.run(
        List.of(new Step("a", 2), new Step("b", 1), new Step("c", 1)),
        open -> open.subList(0, Math.min(2, open.size())),
        this::trip);
    assertThat(log).containsExactly("trip [a, b]", "b ended", "trip [a, c]", "a ended", "c ended");
  }

  @Test
  void a_refused_trip_is_repeated_for_each_step_alone() {
    VerbRounds.run(
        List.of(new Step("a", 2), new Step("b", 1)),
        (List<Step> round, VerbRounds.Replies<Step, String> replies) -> {
          if (round.stream().anyMatch(step -> step.name.equals("b"))) {
            log.add("refused " + round);
            throw new EngineException.Refused("no right");
          }
          trip(round, replies);
        });
    assertThat(log)
        .containsExactly(
            "refused [a, b]",
            "trip [a]",
            "refused [b]",
            "b failed: no right",
            "b ended",
            "trip [a]",
            "a ended");
  }

  @Test
  void a_trip_without_reply_fails_all_its_steps_and_is_not_repeated() {
    VerbRounds.run(
        List.of(new Step("a", 1), new Step("b", 1)),
        (List<Step> round, VerbRounds.Replies<Step, String> replies) -> {
          log.add("lost " + round);
          throw new EngineException.Unknown("no reply", null);
        });
    assertThat(log)
        .containsExactly(
            "lost [a, b]", "a failed: no reply", "a ended", "b failed: no reply", "b ended");
  }

  @Test
  void each_step_has_its_own_outcome() {
    Step given = new Step("given up", 2);
    VerbRounds.run(
        List.of(new Step("a", 1), new Step("b", 1), new Step("c", 1), given),
        (List<Step> round, VerbRounds.Replies<Step, String> replies) -> {
          log.add("trip " + round);
          if (round.size() == 1) {
            replies.pass(round.get(0), "ok");
            return;
          }
          given.over = true;
          replies.pass(round.get(3), "ok");
          replies.pass(round.get(0), "bad");
          replies.again(round.get(1));
          replies.fail(round.get(2), new EngineException.NotDone("cut", null));
        });
    assertThat(log)
        .containsExactly(
            "trip [a, b, c, given up]",
            "a failed: bad reply",
            "a ended",
            "c failed: cut",
            "c ended",
            "given up ended",
            "trip [b]",
            "b ended");
  }
}
