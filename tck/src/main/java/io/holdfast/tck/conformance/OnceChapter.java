package io.holdfast.tck.conformance;

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

@DisplayName("once per period")
interface OnceChapter {

  Duration WAIT = Duration.ofHours(1);
  Duration EVERY = Duration.ofSeconds(10);

  @Test
  @Requires(Capability.ONCE)
  default void one_client_runs_and_the_others_get_done(KitFixture fixture) throws Exception {
    Once mine = fixture.apiClient().holdfast().once("hourly", EVERY);
    Once theirs = fixture.apiClient().holdfast().once("hourly", EVERY);
    assertThat(mine.run(WAIT, hold -> hold.ensureHeld())).isEqualTo(Once.Result.RAN);
    assertThat(theirs.run(WAIT, hold -> fail())).isEqualTo(Once.Result.DONE);
    assertThat(mine.runNoWait(hold -> fail())).isEqualTo(Once.Result.DONE);
    fixture.time().pass(EVERY);
    assertThat(theirs.run(WAIT, hold -> hold.ensureHeld())).isEqualTo(Once.Result.RAN);
  }

  @Test
  @Requires(Capability.ONCE)
  default void waiters_get_done_when_the_runner_succeeds(KitFixture fixture) throws Exception {
    Holdfast runner = fixture.apiClient().holdfast();
    ApiClient waiting = fixture.apiClient();
    CountDownLatch go = new CountDownLatch(1);
    BackgroundTask<Once.Result> runs =
        fixture.run("runs", () -> runner.once("wait", EVERY).run(WAIT, hold -> await(go)));
    fixture.time().until("the run", fixture.soon(), () -> runner.health().held() == 1);
    BackgroundTask<Once.Result> waits =
        fixture.run("waits", () -> waiting.holdfast().once("wait", EVERY).run(WAIT, h -> fail()));
    fixture.time().until("a waiter in line", fixture.soon(), () -> waiting.waits("wait") > 0);
    assertThat(fixture.apiClient().holdfast().once("wait", EVERY).runNoWait(h -> fail()))
        .isEqualTo(Once.Result.BUSY);
    go.countDown();
    assertThat(runs.result(fixture.soon())).isEqualTo(Once.Result.RAN);
    assertThat(waits.result(fixture.soon())).isEqualTo(Once.Result.DONE);
  }

  @Test
  @Requires(Capability.ONCE)
  default void another_client_runs_if_the_body_fails(KitFixture fixture) throws Exception {
    Once mine = fixture.apiClient().holdfast().once("failing", EVERY);
    Once theirs = fixture.apiClient().holdfast().once("failing", EVERY);
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
  @Requires(Capability.ONCE)
  default void another_client_runs_if_the_runner_dies(KitFixture fixture) throws Exception {
    VerbClient dead = fixture.verbClient();
    ApiClient waiting = fixture.apiClient();
    dead.expectGranted(dead.ticket(fixture.resource("dying"), Shape.once()));
    BackgroundTask<Once.Result> waits =
        fixture.run("waits", () -> waiting.holdfast().once("dying", EVERY).run(WAIT, hold -> {}));
    fixture.time().until("a waiter in line", fixture.soon(), () -> waiting.waits("dying") > 0);
    dead.kill();
    assertThat(waits.result(fixture.leaseAtMost().plusSeconds(1))).isEqualTo(Once.Result.RAN);
  }

  @Test
  @Requires(Capability.ONCE)
  default void only_the_holder_can_settle(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    VerbClient rival = fixture.verbClient();
    Resource resource = fixture.resource("settle");
    Ticket runner = client.ticket(resource, Shape.once());
    Ticket waiter = rival.ticket(resource, Shape.once());
    Ticket stranger = rival.ticket(resource, Shape.once());
    client.expectGranted(runner);
    rival.expectWaiting(waiter);
    assertThat(rival.settle(waiter, EVERY)).isFalse();
    assertThat(rival.settle(stranger, EVERY)).isFalse();
    client.expectRenewed(runner);
    assertThat(client.leave(runner)).isEqualTo(io.holdfast.spi.Left.HOLDING);
    assertThat(client.settle(runner, EVERY)).as("after it has left").isFalse();
    rival.awaitGranted(waiter, fixture.soon());
  }

  @Test
  @Requires(Capability.ONCE)
  default void a_mark_outlives_its_maker(KitFixture fixture) throws Exception {
    VerbClient client = fixture.verbClient();
    Resource resource = fixture.resource("outlives");
    Ticket runner = client.ticket(resource, Shape.once());
    client.expectGranted(runner);
    Duration keep = fixture.lease().multipliedBy(3);
    assertThat(client.settle(runner, keep)).isTrue();
    assertThat(client.renew(runner)).isInstanceOf(io.holdfast.spi.Renewal.Gone.class);
    client.kill();
    fixture.time().pass(fixture.leaseAtMost());
    VerbClient other = fixture.verbClient();
    other.expectDone(other.ticket(resource, Shape.once()));
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
  }

  private static void fail() {
    throw new AssertionError("ran twice in one period");
  }
}
