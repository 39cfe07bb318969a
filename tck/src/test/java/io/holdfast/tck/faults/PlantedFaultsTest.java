package io.holdfast.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import io.holdfast.tck.ManualTime;
import io.holdfast.tck.conformance.PlantedVerbs;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The fault kit is worth what it catches. */
@Timeout(120)
class PlantedFaultsTest {

  private static final int SHOWN = 120;
  private static final int TRIES = 3;
  private static final int TOLERANCE = 2;

  /**
   * A broken store, and the scenario that must find it.
   *
   * @param finding a part of what the scenario must say
   */
  private record Plant(
      FaultScenario scenario, String name, Callable<FaultStore> store, String finding) {}

  private static Plant plant(
      FaultScenario scenario, String name, UnaryOperator<LockEngine> broken, String finding) {
    return plant(scenario, name, () -> BrokenEngines.onEveryLane(broken), finding);
  }

  private static Plant plant(
      FaultScenario scenario,
      String name,
      Supplier<BiFunction<LockEngine, Settings, LockEngine>> broken,
      String finding) {
    return plantInTime(scenario, name, time -> broken.get(), finding);
  }

  private static Plant plantInTime(
      FaultScenario scenario,
      String name,
      Function<ManualTime, BiFunction<LockEngine, Settings, LockEngine>> broken,
      String finding) {
    return new Plant(scenario, name, () -> store(broken), finding);
  }

  private static FaultStore store(
      Function<ManualTime, BiFunction<LockEngine, Settings, LockEngine>> broken) {
    ManualTime time = new ManualTime();
    return new MemoryFaultStore(time, broken.apply(time));
  }

  private static List<Plant> plants() {
    return List.of(
        plant(
            FaultScenario.F01_KILLED_HOLDER,
            "lease never ends",
            PlantedVerbs::leaseNeverEnds,
            "next grant: not within"),
        plant(
            FaultScenario.F02_PAUSED_HOLDER,
            "promises more than it keeps",
            PlantedVerbs::promisesMoreThanItKeeps,
            "while the frozen holder may still believe"),
        plant(
            FaultScenario.F02_PAUSED_HOLDER,
            "tokens go back",
            PlantedVerbs::tokensGoBack,
            "the write of the newest holder"),
        plant(
            FaultScenario.F03_DEAD_WAITERS,
            "dead waiters stay",
            PlantedVerbs::deadWaitersStay,
            "next live one in: not within"),
        plant(
            FaultScenario.F04_LONG_LINE,
            "keeps no line",
            BrokenEngines::keepsNoLine,
            "the order in which waiters joined"),
        plant(
            FaultScenario.F05_LATE_ATTEMPT,
            "late attempt joins",
            PlantedVerbs::lateAttemptJoins,
            "tickets after the late attempt"),
        plant(
            FaultScenario.F06_CUT_OFF,
            "promises more than it keeps",
            PlantedVerbs::promisesMoreThanItKeeps,
            "rival's grant after the holder's deadline"),
        plant(
            FaultScenario.F06_CUT_OFF,
            "keeps what was given up",
            BrokenEngines::keepsWhatWasGivenUp,
            "nothing is left of its calls: not within"),
        plant(
            FaultScenario.F07_FROZEN_STORE,
            "joins when in doubt",
            BrokenEngines::joinsWhenInDoubt,
            "a name that was given up: not within"),
        plant(
            FaultScenario.F07_FROZEN_STORE,
            "keeps what was given up",
            BrokenEngines::keepsWhatWasGivenUp,
            "nothing is left of calls that ended: not within"),
        plantInTime(
            FaultScenario.F07_FROZEN_STORE,
            "gives up renewing",
            BrokenEngines::givesUpRenewing,
            "renewed whose renewal was held up: not within"),
        plant(
            FaultScenario.F07_FROZEN_STORE,
            "renews without asking",
            BrokenEngines::renewsWithoutAsking,
            "loss reported: not within"),
        plant(
            FaultScenario.F08_KILLED_STORE,
            "tokens restart",
            BrokenEngines::tokensRestart,
            "the token after the restart"),
        plant(
            FaultScenario.F08_KILLED_STORE,
            "forgets its last grant",
            BrokenEngines::forgetsItsLastGrant,
            "a hold from just before the kill"),
        plant(
            FaultScenario.F09_SIGNALS_LOST,
            "looks only when signalled",
            BrokenEngines::looksWhenSignalled,
            "next grant: not within"),
        plant(
            FaultScenario.F10_WRONG_CLOCKS,
            "compares clocks",
            BrokenEngines::comparesClocks,
            "section"),
        plant(
            FaultScenario.F11_NOTHING_LEFT_BEHIND,
            "leaves records",
            BrokenEngines::leavesRecords,
            "the store is clean: not within"),
        plant(
            FaultScenario.F11_NOTHING_LEFT_BEHIND,
            "dead waiters stay",
            PlantedVerbs::deadWaitersStay,
            "the store is clean: not within"),
        plantInTime(
            FaultScenario.F12_MANY_HOLDS,
            "renews one by one",
            BrokenEngines::renewsOneByOne,
            "holds have expired"),
        plant(
            FaultScenario.F13_SUSPENDED_IN_A_TRIP,
            "repeats grants",
            BrokenEngines::repeatsGrants,
            "a grant from before the suspension is believed"),
        new Plant(
            FaultScenario.F14_ONE_SERVER_HANGS,
            "one server hangs them all",
            () -> new ShardedFaultStore(true),
            "a section at another server"),
        plant(
            FaultScenario.F15_DELETED_RECORD,
            "renews without asking",
            BrokenEngines::renewsWithoutAsking,
            "no waiter: loss reported: not within"));
  }

  @Test
  void each_scenario_catches_an_engine_that_fails_under_its_fault() throws Exception {
    Set<FaultScenario> tried = EnumSet.noneOf(FaultScenario.class);
    List<String> missed = new ArrayList<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<String>> results = new ArrayList<>();
      List<Plant> plants = plants();
      plants.forEach(plant -> results.add(threads.submit(() -> caught(plant))));
      for (int i = 0; i < plants.size(); i++) {
        String caught = results.get(i).get();
        String shown = caught.substring(0, Math.min(SHOWN, caught.length()));
        FaultFixture.print(plants.get(i).scenario + ", " + plants.get(i).name + ": " + shown);
        tried.add(plants.get(i).scenario);
        if (!caught.contains(plants.get(i).finding)) {
          missed.add(plants.get(i) + ": " + caught);
        }
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(missed).as("broken engines that passed").isEmpty();
    assertThat(tried).containsExactlyInAnyOrder(FaultScenario.values());
  }

  /**
   * How the scenario failed, or nothing. Some faults show only if a hold was renewed just before:
   * on a busy machine that may take several tries.
   */
  private static String caught(Plant plant) throws Exception {
    String caught = "";
    for (int i = 0; i < TRIES && !caught.contains(plant.finding); i++) {
      caught = play(plant);
    }
    return caught;
  }

  private static String play(Plant plant) throws Exception {
    try (FaultStore store = plant.store.call()) {
      FaultFixture.play(plant.scenario, store, TOLERANCE);
      return "not caught";
    } catch (Exception | AssertionError e) {
      return "caught: " + String.valueOf(e).replaceAll("\\s+", " ");
    }
  }

  @Test
  void honest_shards_survive_a_server_that_hangs() throws Exception {
    try (FaultStore store = new ShardedFaultStore(false)) {
      FaultFixture.play(FaultScenario.F14_ONE_SERVER_HANGS, store);
    }
  }
}
