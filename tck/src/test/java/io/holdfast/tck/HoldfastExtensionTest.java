package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

@ExtendWith(HoldfastExtension.class)
@Timeout(20)
class HoldfastExtensionTest {

  private static final Duration WAIT = Duration.ofSeconds(5);

  @Test
  void u47_a_live_holder_renews_however_far_time_is_advanced(Holdfast holdfast, ManualTime time)
      throws Exception {
    try (Hold hold = holdfast.lock("orders/42").acquire(WAIT)) {
      time.advance(Duration.ofMinutes(10));
      assertThat(hold.isHeld()).isTrue();
    }
  }

  @Test
  void u47_thirty_five_seconds_end_the_lease_of_a_paused_holder(Sandbox sandbox) throws Exception {
    Holdfast worker = sandbox.holdfast();
    Holdfast rival = sandbox.connect();
    Hold hold = worker.lock("orders/42").acquire(WAIT);
    List<Object> losses = new ArrayList<>();
    hold.onLoss(losses::add);
    sandbox.pause(worker);
    sandbox.time().advance(Duration.ofSeconds(35));
    assertThat(hold.isHeld()).isFalse();
    assertThat(losses).as("a paused program is not notified").isEmpty();
    try (Hold next = rival.lock("orders/42").tryAcquire().orElseThrow()) {
      assertThat(next.token()).isGreaterThan(hold.token());
      sandbox.resume(worker);
      assertThat(losses).hasSize(1);
      assertThat(hold.release()).isEqualTo(Outcome.LOST);
    }
  }

  @Test
  void u47_a_name_can_be_made_to_expire_while_others_stay(Holdfast holdfast, Sandbox sandbox)
      throws Exception {
    Hold lost = holdfast.lock("lost").acquire(WAIT);
    Hold kept = holdfast.lock("kept").acquire(WAIT);
    sandbox.expire("lost");
    assertThat(lost.isHeld()).isFalse();
    assertThat(kept.isHeld()).isTrue();
    assertThat(kept.release()).isEqualTo(Outcome.RELEASED);
    holdfast.lock("lost").tryAcquire().orElseThrow().close();
  }

  @Test
  void u47_faults_can_be_scripted(Holdfast holdfast, FaultyEngine faults) throws Exception {
    faults.loseNextReply();
    try (Hold hold = holdfast.lock("orders/42").acquire(WAIT)) {
      assertThat(hold.isHeld()).isTrue();
    }
    assertThat(faults.reached(VerbKind.ATTEMPT, "orders/42")).hasSize(2);
    assertThat(faults.reached(VerbKind.LEAVE, "orders/42")).hasSize(1);
  }

  @Test
  void u47_a_test_of_one_thread_does_not_hang_when_it_waits(Sandbox sandbox) throws Exception {
    Holdfast rival = sandbox.connect();
    try (Hold hold = rival.lock("busy").acquire(WAIT)) {
      long begin = sandbox.time().nanoTime();
      assertThat(sandbox.holdfast().lock("busy").tryAcquire(WAIT)).isEmpty();
      assertThat(sandbox.time().nanoTime() - begin).isEqualTo(WAIT.toNanos());
      hold.ensureHeld();
    }
  }

  @Test
  void u47_a_sandbox_is_ready_within_50_ms() {
    long begin = System.nanoTime();
    try (Sandbox sandbox = Sandbox.open()) {
      assertThat(sandbox.holdfast().health().held()).isZero();
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    System.out.println(
        "[tck] a sandbox opened and closed: " + took.toMillis() + " ms (bound 50 ms)");
    assertThat(took).isLessThan(Duration.ofMillis(250));
  }

  @Test
  void a_test_that_leaves_a_hold_open_fails() {
    assertThat(failures(LeavesAHoldOpen.class))
        .singleElement()
        .asString()
        .contains("1 holds are still open");
  }

  @Test
  void a_test_may_leave_holds_open_if_that_is_allowed() {
    assertThat(failures(MayLeaveAHoldOpen.class)).isEmpty();
  }

  @Test
  void options_and_lanes_can_be_chosen() {
    assertThat(failures(Chooses.class)).isEmpty();
  }

  @ExtendWith(HoldfastExtension.class)
  static class LeavesAHoldOpen {
    @Test
    void leaves(Holdfast holdfast) throws Exception {
      holdfast.lock("open").acquire(WAIT);
    }

    @Test
    void releases(Holdfast holdfast) throws Exception {
      holdfast.lock("open").acquire(WAIT).close();
    }
  }

  static class MayLeaveAHoldOpen {
    @RegisterExtension
    final HoldfastExtension extension = new HoldfastExtension().allowingOpenHolds();

    @Test
    void leaves(Holdfast holdfast) throws Exception {
      holdfast.lock("open").acquire(WAIT);
    }
  }

  static class Chooses {
    @RegisterExtension
    final HoldfastExtension extension =
        new HoldfastExtension()
            .withOptions(HoldfastOptions.DEFAULTS.withLease(Duration.ofSeconds(10)))
            .withLanes();

    @Test
    void a_store_that_hangs(Holdfast holdfast, FaultyEngine faults) throws Exception {
      assertThat(holdfast.options().lease()).isEqualTo(Duration.ofSeconds(10));
      faults.hang();
      org.assertj.core.api.Assertions.assertThatThrownBy(
              () -> holdfast.lock("hung").tryAcquire(WAIT))
          .isInstanceOf(io.holdfast.HoldfastException.class);
    }
  }

  private static List<Object> failures(Class<?> test) {
    List<Object> failures = new ArrayList<>();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(test))
                .build(),
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier id, TestExecutionResult result) {
                result.getThrowable().ifPresent(failures::add);
              }
            });
    return failures;
  }
}
