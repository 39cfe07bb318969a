package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that the simulation catches every planted bug. */
class PlantedBugsTest {

  private static final int MOST_SEEDS = 4_000;
  private static final EnumSet<SimBug> CAUGHT = EnumSet.noneOf(SimBug.class);

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void a_planted_bug_is_caught(SimBug bug) {
    int played = 0;
    for (long seed = 0; played < MOST_SEEDS; seed++) {
      if (!canShow(seed, bug)) {
        continue;
      }
      played++;
      String broken = play(seed, bug);
      if (!broken.isEmpty()) {
        CAUGHT.add(bug);
        System.out.printf("planted %s: caught by seed %d, %s%n", bug, seed, broken);
        return;
      }
    }
    assertThat(bug).as("not caught in " + MOST_SEEDS + " seeds").isNull();
  }

  /** Not to play for minutes what cannot go wrong. */
  private static boolean canShow(long seed, SimBug bug) {
    return switch (bug) {
      // A client that never yields is noticed only where no task rests.
      case NEVER_YIELDS -> SimPlan.isHot(seed);
      case GRANT_FROM_ARRIVAL, GRANT_OF_ANOTHER_ATTEMPT ->
          SimPlan.signalsGrants(seed) && SimPlan.target(seed) != SimPlan.Target.MUTEX_ANY;
      default -> true;
    };
  }

  private static String play(long seed, SimBug bug) {
    try {
      new Simulation(seed, bug).run();
      return "";
    } catch (SimRules.Violation e) {
      return String.valueOf(e.getMessage());
    }
  }

  @AfterAll
  static void report() {
    System.out.printf("planted bugs caught: %d/%d%n", CAUGHT.size(), SimBug.values().length - 1);
  }
}
