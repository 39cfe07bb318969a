package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Thousands of seeds of the real runtime in virtual time; {@code -Dseed=} replays one. {@code
 * -Dlong} plays 10,000, {@code -Dseeds=} any number.
 */
class SimulationTest {

  private static final long SEEDS =
      Long.getLong("seeds", System.getProperty("long") == null ? 4_000 : 10_000);

  @Test
  void no_rule_is_broken_in_any_seed() {
    Long one = Long.getLong("seed");
    long started = System.nanoTime();
    ConcurrentLinkedQueue<String> broken = new ConcurrentLinkedQueue<>();
    AtomicReference<Simulation.Report> total = new AtomicReference<>(Simulation.Report.NONE);
    LongStream seeds = one == null ? LongStream.range(0, SEEDS) : LongStream.of(one);
    seeds
        .parallel()
        .forEach(
            seed -> {
              try {
                Simulation.Report report = new Simulation(seed, SimBug.NONE).run();
                total.accumulateAndGet(report, Simulation.Report::plus);
              } catch (Throwable e) {
                broken.add("-Dseed=" + seed + ": " + e);
              }
            });
    Simulation.Report did = total.get();
    System.out.printf(
        "simulation: %d seeds x 120 s, %,d events, %,d grants, %,d faults, %,d losses reported,"
            + " %,d stale writes refused, %.1f s%n",
        one == null ? SEEDS : 1,
        did.events(),
        did.grants(),
        did.faults(),
        did.losses(),
        did.refusedWrites(),
        (System.nanoTime() - started) / 1e9);
    assertThat(broken).isEmpty();
    assertThat(did.grants()).isPositive();
  }

  @Test
  void a_seed_replays_identically() {
    for (long seed = 0; seed < 40; seed++) {
      assertThat(new Simulation(seed, SimBug.NONE).run())
          .isEqualTo(new Simulation(seed, SimBug.NONE).run());
    }
  }
}
