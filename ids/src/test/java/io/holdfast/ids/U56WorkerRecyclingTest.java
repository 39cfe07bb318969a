package io.holdfast.ids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.rig.time.Figure;
import io.holdfast.rig.time.LongRun;
import io.holdfast.tck.ManualTime;
import io.holdfast.tck.PausableWorld;
import io.holdfast.tck.Sandbox;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** U56: worker numbers are never used up, and come back only when it is safe. */
class U56WorkerRecyclingTest {

  private static final IdLayout EIGHT =
      new IdLayout(Instant.parse("2025-01-01T00:00:00Z"), Duration.ofMillis(1), 41, 3, 12);
  private static final TimelineOptions OPTIONS = TimelineOptions.DEFAULTS.withLayout(EIGHT);

  private final Sandbox sandbox = Sandbox.open();
  private final ManualTime time = sandbox.time();

  /** Kept, as its level goes with it. */
  private final Logger log = Logger.getLogger("io.holdfast.ids");

  @AfterEach
  void close() {
    log.setLevel(null);
    sandbox.close();
  }

  @Test
  void a_number_out_of_range_is_refused_before_anything_is_made_with_it() {
    assertThatThrownBy(() -> OPTIONS.withWorker(8)).hasMessageContaining("worker must be 0..7");
    assertThatThrownBy(() -> OPTIONS.withWorker(-1)).hasMessageContaining("worker must be 0..7");
  }

  @Test
  void restarts_of_three_nodes_without_end_use_up_no_numbers() {
    int times = LongRun.of(20_000, 1_000_000);
    // A line at every start would be most of the work.
    log.setLevel(Level.WARNING);
    List<Holdfast> nodes = List.of(sandbox.connect(), sandbox.connect(), sandbox.connect());
    List<LongIds> running = new ArrayList<>();
    nodes.forEach(node -> running.add(Ids.over(node, time).timeline("service", OPTIONS)));
    long start = System.nanoTime();
    long last = 0;
    for (int i = 0; i < times; i++) {
      for (int node = 0; node < nodes.size(); node++) {
        time.stepWall(Duration.ofMillis(2));
        running.get(node).close();
        running.set(node, Ids.over(nodes.get(node), time).timeline("service", OPTIONS));
        long id = running.get(node).next();
        if (id <= last) {
          throw new AssertionError("restart " + i + ": " + id + " after " + last);
        }
        last = id;
      }
    }
    running.forEach(LongIds::close);
    Figure.print(
        "timeline: 3 nodes restarted %,d times each, 8 worker numbers, in %,d s",
        times, (System.nanoTime() - start) / 1_000_000_000);
  }

  @Test
  void crashes_without_end_use_up_no_numbers_and_repeat_no_id() {
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      for (int node = 0; node < 3; node++) {
        Holdfast holdfast = sandbox.connect();
        PausableWorld world = new PausableWorld(time);
        LongIds ids = Ids.over(holdfast, world).timeline("service", OPTIONS);
        for (int n = 0; n < 50; n++) {
          assertThat(seen.add(ids.next())).isTrue();
        }
        world.pause();
        sandbox.pause(holdfast);
        sandbox.faults(holdfast).cut();
      }
      time.advance(Duration.ofSeconds(31));
    }
  }

  @Test
  void the_number_of_a_dead_one_comes_back_after_its_lease_and_its_reserved_time() {
    TimelineOptions farAhead = OPTIONS.withWorker(5).withWindow(Duration.ofMinutes(5));
    Holdfast dead = sandbox.connect();
    PausableWorld world = new PausableWorld(time);
    LongIds ids = Ids.over(dead, world).timeline("service", farAhead);
    long before = ids.next();
    world.pause();
    sandbox.pause(dead);
    sandbox.faults(dead).cut();

    assertThatThrownBy(() -> Ids.over(sandbox.holdfast(), time).timeline("service", farAhead))
        .as("its lease has not ended")
        .hasMessageContaining("taken");
    time.advance(Duration.ofSeconds(60));
    assertThatThrownBy(() -> Ids.over(sandbox.holdfast(), time).timeline("service", farAhead))
        .as("its reserved time has not passed")
        .hasMessageContaining("behind the reserved time");
    time.advance(Duration.ofMinutes(4));
    try (LongIds next = Ids.over(sandbox.holdfast(), time).timeline("service", farAhead)) {
      assertThat(next.next()).isGreaterThan(before);
    }
  }
}
