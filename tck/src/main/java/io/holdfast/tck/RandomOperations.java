package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("random operations beside the model")
interface RandomOperations {

  int PLAYS = 300;
  int FEW_PLAYS = 10;
  int STEPS = 60;

  @Test
  default void every_answer_is_one_that_the_rules_allow(Stage stage) throws Exception {
    List<Actor> actors = List.of(stage.actor(), stage.actor(), stage.actor());
    int plays = Seed.isGiven() ? 1 : stage.time().isManual() ? PLAYS : FEW_PLAYS;
    int verbs = 0;
    for (int i = 0; i < plays; i++) {
      long seed = stage.seed() + i;
      RandomPlay play = new RandomPlay(stage, actors, seed);
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
    Figures.print(verbs + " random verbs in " + plays + " plays from seed " + stage.seed());
    assertThat(verbs).isGreaterThan(plays * STEPS / 2);
  }
}
