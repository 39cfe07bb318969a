package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Once;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("once in a period")
interface OnceInAPeriod {

  Duration WAIT = Duration.ofHours(1);
  Duration EVERY = Duration.ofSeconds(10);

  @Test
  @Needs(Need.ONCE)
  default void one_runs_and_the_others_hear_that_it_is_done(Stage stage) throws Exception {
    Once mine = stage.caller().holdfast().once("hourly", EVERY);
    Once theirs = stage.caller().holdfast().once("hourly", EVERY);
    assertThat(mine.run(WAIT, hold -> hold.ensureHeld())).isEqualTo(Once.Result.RAN);
    assertThat(theirs.run(WAIT, hold -> fail())).isEqualTo(Once.Result.DONE);
    assertThat(mine.runNoWait(hold -> fail())).isEqualTo(Once.Result.DONE);
    stage.time().pass(EVERY);
    assertThat(theirs.run(WAIT, hold -> hold.ensureHeld())).isEqualTo(Once.Result.RAN);
  }

  @Test
  @Needs(Need.ONCE)
  default void those_that_wait_end_when_the_runner_succeeded(Stage stage) throws Exception {
    Holdfast runner = stage.caller().holdfast();
    Caller waiting = stage.caller();
    CountDownLatch go = new CountDownLatch(1);
    Running<Once.Result> runs =
        stage.run("runs", () -> runner.once("wait", EVERY).run(WAIT, hold -> await(go)));
    stage.time().until("it runs", stage.soon(), () -> runner.health().held() == 1);
    Running<Once.Result> waits =
        stage.run("waits", () -> waiting.holdfast().once("wait", EVERY).run(WAIT, h -> fail()));
    stage.time().until("one waits", stage.soon(), () -> waiting.waits("wait") > 0);
    assertThat(stage.caller().holdfast().once("wait", EVERY).runNoWait(h -> fail()))
        .isEqualTo(Once.Result.BUSY);
    go.countDown();
    assertThat(runs.result(stage.soon())).isEqualTo(Once.Result.RAN);
    assertThat(waits.result(stage.soon())).isEqualTo(Once.Result.DONE);
  }

  @Test
  @Needs(Need.ONCE)
  default void another_runs_when_the_body_failed(Stage stage) throws Exception {
    Once mine = stage.caller().holdfast().once("failing", EVERY);
    Once theirs = stage.caller().holdfast().once("failing", EVERY);
    IllegalStateException own = new IllegalStateException("the body's own");
    assertThatThrownBy(
            () ->
                mine.run(
                    WAIT,
                    hold -> {
                      throw own;
                    }))
        .isSameAs(own);
    assertThat(theirs.run(WAIT, hold -> {})).isEqualTo(Once.Result.RAN);
  }

  @Test
  @Needs(Need.ONCE)
  default void another_takes_over_when_the_runner_died(Stage stage) throws Exception {
    Actor dead = stage.actor();
    Caller waiting = stage.caller();
    dead.in(dead.ticket(stage.resource("dying"), Shape.once()));
    Running<Once.Result> waits =
        stage.run("waits", () -> waiting.holdfast().once("dying", EVERY).run(WAIT, hold -> {}));
    stage.time().until("one waits", stage.soon(), () -> waiting.waits("dying") > 0);
    dead.dies();
    assertThat(waits.result(stage.leaseAtMost().plusSeconds(1))).isEqualTo(Once.Result.RAN);
  }

  @Test
  @Needs(Need.ONCE)
  default void only_who_is_in_can_settle(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Actor rival = stage.actor();
    Resource resource = stage.resource("settle");
    Ticket runner = actor.ticket(resource, Shape.once());
    Ticket waiter = rival.ticket(resource, Shape.once());
    Ticket stranger = rival.ticket(resource, Shape.once());
    actor.in(runner);
    rival.out(waiter);
    assertThat(rival.settle(waiter, EVERY)).isFalse();
    assertThat(rival.settle(stranger, EVERY)).isFalse();
    actor.renewed(runner);
    assertThat(actor.leave(runner)).isEqualTo(io.holdfast.spi.Left.HOLDING);
    assertThat(actor.settle(runner, EVERY)).as("after it has left").isFalse();
    rival.getsIn(waiter, stage.soon());
  }

  @Test
  @Needs(Need.ONCE)
  default void a_mark_outlives_its_maker(Stage stage) throws Exception {
    Actor actor = stage.actor();
    Resource resource = stage.resource("outlives");
    Ticket runner = actor.ticket(resource, Shape.once());
    actor.in(runner);
    Duration keep = stage.lease().multipliedBy(3);
    assertThat(actor.settle(runner, keep)).isTrue();
    assertThat(actor.renew(runner)).isInstanceOf(io.holdfast.spi.Renewal.Gone.class);
    actor.dies();
    stage.time().pass(stage.leaseAtMost());
    Actor other = stage.actor();
    other.done(other.ticket(resource, Shape.once()));
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
  }

  private static void fail() {
    throw new AssertionError("it ran twice in one period");
  }
}
