package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("random verbs against the model")
interface RandomVerbsChapter {

  int PLAYS = 300;
  int FEW_PLAYS = 10;
  int STEPS = 60;

  @Test
  default void every_answer_follows_the_rules(KitFixture fixture) throws Exception {
    play(
        fixture, Duration.ZERO, Seed.isGiven() ? 1 : fixture.time().isManual() ? PLAYS : FEW_PLAYS);
  }

  /** Each ticket is used so rarely that some of them may end meanwhile. */
  @Test
  default void every_answer_follows_the_rules_at_a_slow_pace(KitFixture fixture) throws Exception {
    boolean manual = fixture.time().isManual();
    Duration pause = manual ? fixture.lease().dividedBy(10) : Duration.ofMillis(200);
    play(fixture, pause, Seed.isGiven() || !manual ? 1 : PLAYS);
  }

  private static void play(KitFixture fixture, Duration pause, int plays) throws Exception {
    List<VerbClient> clients =
        List.of(fixture.verbClient(), fixture.verbClient(), fixture.verbClient());
    int verbs = 0;
    for (int i = 0; i < plays; i++) {
      long seed = fixture.seed() + i;
      RandomVerbSequence play = new RandomVerbSequence(fixture, clients, seed, pause);
      try {
        play.play(STEPS);
      } catch (AssertionError e) {
        throw new AssertionError(
            e.getMessage()
                + "\n  replay with -Dseed="
                + seed
                + "\n  "
                + String.join("\n  ", play.script()),
            e);
      }
      verbs += play.verbs();
    }
    KitOutput.print(verbs + " random verbs in " + plays + " plays from seed " + fixture.seed());
    assertThat(verbs).isGreaterThan(plays * STEPS / 2);
  }
}
