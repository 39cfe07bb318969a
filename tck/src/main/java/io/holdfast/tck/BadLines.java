package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.HoldfastException;
import io.holdfast.Outcome;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.ResourceLock;

@DisplayName("lost, doubled and late replies")
interface BadLines {

  Duration WAIT = Duration.ofHours(1);

  List<Consumer<FaultyEngine>> ATTEMPT_FAULTS =
      List.of(
          engine -> engine.loseNextReply(VerbKind.ATTEMPT),
          engine -> engine.loseNextRequest(VerbKind.ATTEMPT),
          engine -> engine.failNextNotDone(VerbKind.ATTEMPT),
          engine -> engine.doubleNext(VerbKind.ATTEMPT),
          engine -> engine.delayNext(VerbKind.ATTEMPT));

  @EveryMutex
  default void u03_an_acquire_on_a_bad_line_holds_once_and_one_release_frees(
      Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "acquire");
    for (Consumer<FaultyEngine> fault : ATTEMPT_FAULTS) {
      Caller caller = stage.caller();
      fault.accept(caller.engine());
      Running<Hold> acquiring =
          stage.run("acquires", () -> dress.lock(caller.holdfast(), "acquire").acquire(WAIT));
      Hold hold = acquiring.result(stage.soon());
      stage.onlyRemain("acquire", 1 + dress.drained());
      assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
      caller.engine().deliverLate();
      stage.onlyRemain("acquire", dress.drained());
    }
  }

  @EveryMutex
  default void u03_one_that_only_tries_is_not_told_busy_when_the_reply_got_lost(
      Stage stage, Dress dress) throws Exception {
    int count = 0;
    for (Consumer<FaultyEngine> fault : ATTEMPT_FAULTS) {
      // Names of their own: what one left in doubt may still be there when the next one tries.
      String name = "try-" + ++count;
      dress.resource(stage, name);
      Caller caller = stage.caller();
      fault.accept(caller.engine());
      try {
        Optional<Hold> tried = dress.lock(caller.holdfast(), name).tryAcquire();
        tried.orElseThrow().close();
      } catch (OutcomeUnknownException | StoreUnavailableException e) {
        assertThat(e).hasMessageContaining(name);
      }
      caller.engine().deliverLate();
      stage.onlyRemain(name, dress.drained());
    }
  }

  @EveryMutex
  default void u04_an_attempt_that_arrives_after_its_caller_left_does_not_join(
      Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "late");
    Hold hold = dress.lock(stage.caller().holdfast(), "late").acquire(WAIT);
    Caller caller = stage.caller();
    caller.engine().delayNext(VerbKind.ATTEMPT);
    Running<Optional<Hold>> waits =
        stage.run(
            "waits", () -> dress.lock(caller.holdfast(), "late").tryAcquire(Duration.ofSeconds(2)));
    waits.ends(Duration.ofMillis(2200));
    stage.onlyRemain("late", 1 + dress.drained());
    assertThat(caller.engine().deliverLate()).isEqualTo(1);
    stage.onlyRemain("late", 1 + dress.drained());
    hold.release();
    stage.onlyRemain("late", dress.drained());
  }

  @EveryMutex
  default void a_release_on_a_bad_line_frees(Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "release");
    List<Consumer<FaultyEngine>> faults =
        List.of(
            engine -> engine.loseNextReply(VerbKind.LEAVE),
            engine -> engine.loseNextRequest(VerbKind.LEAVE),
            engine -> engine.failNextNotDone(VerbKind.LEAVE),
            engine -> engine.doubleNext(VerbKind.LEAVE),
            engine -> engine.delayNext(VerbKind.LEAVE));
    for (Consumer<FaultyEngine> fault : faults) {
      Caller caller = stage.caller();
      Hold hold = dress.lock(caller.holdfast(), "release").acquire(WAIT);
      fault.accept(caller.engine());
      Running<Outcome> releasing = stage.run("releases", hold::release);
      assertThat(releasing.result(Duration.ofSeconds(3))).isIn(Outcome.RELEASED, Outcome.UNKNOWN);
      stage.onlyRemain("release", dress.drained());
      caller.engine().deliverLate();
      getsIn(stage, "release", dress.lock(stage.caller().holdfast(), "release"));
    }
  }

  /**
   * Where the line can be seen to be empty, the first try gets in. Where it cannot, the leave may
   * still be on its way, repeated in the background: then busy is the right answer, but not for
   * long.
   */
  private static void getsIn(Stage stage, String name, DistributedLock lock) throws Exception {
    if (stage.standing(name).isPresent()) {
      lock.tryAcquire().orElseThrow().close();
    } else {
      stage.run("gets in", () -> lock.acquire(WAIT)).result(stage.soon()).close();
    }
  }

  @EveryMutex
  default void lost_replies_to_renewals_cost_nothing_while_some_get_through(
      Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "renew");
    Caller caller = stage.caller();
    Hold hold = dress.lock(caller.holdfast(), "renew").acquire(WAIT);
    for (int i = 0; i < 3; i++) {
      caller.engine().loseNextReply(VerbKind.RENEW);
      caller.engine().failNextNotDone(VerbKind.RENEW);
      stage.time().pass(stage.lease().multipliedBy(2).dividedBy(3));
      TooLate.requireHeld(hold, "what was renewed by some");
    }
    assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
  }

  @EveryMutex
  default void u05_no_renewal_is_sent_after_the_release(Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "zombie");
    Caller caller = stage.caller();
    DistributedLock lock = dress.lock(caller.holdfast(), "zombie");
    Hold hold = lock.acquire(WAIT);
    stage.time().pass(stage.lease().dividedBy(2));
    caller.engine().loseNextReply(VerbKind.LEAVE);
    stage.run("releases", hold::release).ends(Duration.ofSeconds(3));
    List<FaultyEngine.Seen> leaves = caller.engine().reached(VerbKind.LEAVE, "zombie");
    assertThat(leaves).isNotEmpty();
    stage.time().pass(stage.lease());
    List<FaultyEngine.Seen> renewals = caller.engine().reached(VerbKind.RENEW, "zombie");
    assertThat(renewals).as("renewals while it was held").isNotEmpty();
    assertThat(renewals).allMatch(seen -> seen.number() < leaves.get(0).number());
    assertThat(caller.engine().reached(VerbKind.ATTEMPT, "zombie"))
        .allMatch(seen -> seen.number() < leaves.get(0).number());
    Hold again = lock.acquire(WAIT);
    stage.time().pass(stage.leaseAtMost());
    TooLate.requireHeld(again, "a later hold of the same name");
    again.release();
  }

  @EveryMutex
  default void u13_a_bounded_wait_ends_in_time_though_the_store_hangs(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "hang");
    Caller caller = stage.callerWithLanes();
    caller.engine().hang();
    Duration wait = Duration.ofSeconds(3);
    long begin = stage.time().now();
    Running<Optional<Hold>> waits =
        stage.run("waits", () -> dress.lock(caller.holdfast(), "hang").tryAcquire(wait));
    Throwable failure = waits.ends(wait.plusMillis(200)).failure();
    assertThat(failure)
        .isInstanceOf(HoldfastException.class)
        .isInstanceOfAny(OutcomeUnknownException.class, StoreUnavailableException.class);
    assertThat(waits.endedAt() - begin).isGreaterThanOrEqualTo(wait.toNanos());
    caller.engine().unhang();
    stage.onlyRemain("hang", dress.drained());
    Running<Hold> after =
        stage.run("after", () -> dress.lock(caller.holdfast(), "hang").acquire(WAIT));
    after.result(stage.soon()).close();
  }

  @EveryMutex
  default void u14_a_waiter_whose_wakes_get_lost_is_in_within_a_second(Stage stage, Dress dress)
      throws Exception {
    dress.resource(stage, "deaf");
    Caller caller = stage.caller();
    caller.engine().dropWakes(true);
    Hold hold = dress.lock(stage.caller().holdfast(), "deaf").acquire(WAIT);
    Running<Hold> waits =
        stage.run("waits", () -> dress.lock(caller.holdfast(), "deaf").acquire(WAIT));
    stage.time().until("it waits", stage.soon(), () -> caller.waits("deaf") > 0);
    stage.time().pass(Duration.ofSeconds(2));
    hold.release();
    waits.result(Duration.ofSeconds(1)).close();
  }

  @ResourceLock(Hammer.BUSY)
  @EveryMutex
  default void no_faults_by_chance_let_two_in(Stage stage, Dress dress) throws Exception {
    dress.resource(stage, "chance");
    Hammer hammer = new Hammer(stage, 40);
    List<Caller> callers = List.of(stage.caller(), stage.callerWithLanes());
    for (Caller caller : callers) {
      caller.engine().randomly(stage.random().nextLong(), 0.1);
      hammer.add("by chance", 2, dress.lock(caller.holdfast(), "chance"));
    }
    hammer.check("faults by chance, " + dress);
    for (Caller caller : callers) {
      caller.engine().randomly(0, 0);
      caller.engine().deliverLate();
    }
    // Releases that failed are repeated in the background; nothing outlives its lease.
    stage
        .time()
        .until(
            "the line is empty",
            stage.leaseAtMost().plusSeconds(2),
            () -> stage.standing("chance").orElse(dress.drained()) == dress.drained());
  }
}
