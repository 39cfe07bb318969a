package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store may report a grant by its signal; the waiter need not ask then. */
class GrantBySignalTest {

  private static final long TOKEN = 77 * 1024;
  private static final Standing.Granted GRANTED =
      new Standing.Granted(TOKEN, HoldScene.LEASE, false);

  private final WayOutScene scene = new WayOutScene(Primitive.FIFO);

  @BeforeEach
  void waitBehindARival() throws Exception {
    scene.rivalTakes();
    scene.ask();
    scene.lane.runDry();
    assertThat(attempts()).hasSize(1);
  }

  private List<Verb.Attempt> attempts() {
    return scene.lane.all().stream()
        .filter(Verb.Attempt.class::isInstance)
        .map(Verb.Attempt.class::cast)
        .toList();
  }

  private void signal(int attempt) {
    attempts().get(attempt).wake().granted(GRANTED);
    scene.world.runCallbacks();
  }

  /** Until the waiter has asked again by itself. */
  private void pollOnce() {
    int before = attempts().size();
    scene.world.advanceUntil(
        "a look", Duration.ofSeconds(1), () -> attempts().size() == before + 1);
  }

  @Test
  void it_is_in_without_asking_and_believes_from_its_last_attempt() {
    scene.world.advance(Duration.ofMillis(7));
    signal(0);
    Hold hold = scene.asked.join();
    assertThat(hold.token()).isEqualTo(TOKEN);
    assertThat(hold.remaining()).isEqualTo(HoldScene.BELIEVED.minusMillis(7));
    assertThat(attempts()).hasSize(1);
  }

  @Test
  void while_an_attempt_is_under_way_its_reply_decides() throws Exception {
    pollOnce();
    signal(1);
    assertThat(scene.asked).isNotDone();
    scene.rivals.release();
    scene.rivals = null;
    scene.lane.runDry();
    scene.world.runCallbacks();
    assertThat(scene.asked.join().token()).isNotEqualTo(TOKEN);
  }

  @Test
  void what_belongs_to_an_earlier_attempt_only_makes_it_ask() {
    pollOnce();
    scene.lane.runDry();
    assertThat(attempts()).hasSize(2);
    signal(0);
    assertThat(scene.asked).isNotDone();
    assertThat(attempts()).hasSize(3);
  }

  @Test
  void a_waiter_that_gave_up_leaves_and_is_not_notified() throws Exception {
    scene.asked.cancel(true);
    signal(0);
    scene.settle();
    assertThat(attempts()).hasSize(1);
    scene.assertNothingIsLeft("after a signal that came too late");
  }

  @Test
  void one_whose_time_is_nearly_over_asks_and_is_renewed_so() {
    scene.world.advance(Duration.ofMillis(3));
    Standing.Granted nearly = new Standing.Granted(TOKEN, Duration.ofSeconds(1), false);
    attempts().get(0).wake().granted(nearly);
    assertThat(scene.asked).isNotDone();
    assertThat(attempts()).hasSize(2);
  }

  @Test
  void a_host_that_slept_since_its_attempt_believes_for_as_much_less() {
    scene.world.stepWall(Duration.ofSeconds(10));
    signal(0);
    assertThat(scene.asked.join().remaining()).isEqualTo(HoldScene.BELIEVED.minusSeconds(10));
  }

  @Test
  void a_host_that_slept_past_the_lease_asks_and_does_not_believe() {
    scene.world.stepWall(HoldScene.LEASE);
    signal(0);
    assertThat(scene.asked).isNotDone();
    assertThat(attempts()).hasSize(2);
  }

  @Test
  void it_is_renewed_while_half_of_what_is_left_is_left() {
    Standing.Granted less = new Standing.Granted(TOKEN, Duration.ofSeconds(12), false);
    attempts().get(0).wake().granted(less);
    scene.world.runCallbacks();
    Duration left = scene.asked.join().remaining();
    scene.world.advanceUntil("a renewal", left.multipliedBy(3).dividedBy(5), scene.lane::hasQueued);
    assertThat(scene.asked.join().isHeld()).isTrue();
  }
}
