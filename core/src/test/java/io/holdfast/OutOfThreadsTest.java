package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.runtime.lane.LaneScene;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The machine has no thread for a callback: everything else continues, and the callback runs later.
 */
class OutOfThreadsTest {

  /** What an executor throws that cannot start a thread. */
  enum Refusal {
    OUT_OF_MEMORY {
      @Override
      Throwable thrown() {
        return new OutOfMemoryError("unable to create native thread");
      }
    },
    REJECTED {
      @Override
      Throwable thrown() {
        return new RejectedExecutionException("no thread");
      }
    };

    abstract Throwable thrown();
  }

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final HoldScene scene = new HoldScene();
  private final List<Loss> reported = new ArrayList<>();

  private HoldHandle takeAndListen(Primitive primitive) throws InterruptedException {
    HoldHandle hold = scene.take(primitive, "a");
    hold.onLoss(reported::add);
    return hold;
  }

  @ParameterizedTest
  @EnumSource
  void a_loss_is_reported_once_as_soon_as_there_is_a_thread(Refusal refusal) throws Exception {
    HoldHandle hold = takeAndListen(Primitive.ANY);
    scene.renewalsFail();
    scene.world.refuseCallbacks(refusal::thrown);
    scene.world.advance(MINUTE);
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.EXPIRED);
    assertThat(reported).as("there is no thread").isEmpty();
    assertThat(scene.world.refusedCallbacks()).isGreaterThan(10);
    scene.world.refuseCallbacks(null);
    scene.world.advance(Duration.ofSeconds(1));
    assertThat(reported).hasSize(1);
    scene.world.advance(MINUTE);
    assertThat(reported).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void the_next_waiter_of_this_client_gets_in_though_the_loss_cannot_be_reported(Refusal refusal)
      throws Exception {
    takeAndListen(Primitive.ANY);
    CompletableFuture<Hold> next = scene.lock("a").acquireAsync(Duration.ofHours(1));
    ScriptedEngine.Rule failing = scene.renewalsFail();
    scene.world.refuseCallbacks(refusal::thrown);
    scene.world.advance(HoldScene.BELIEVED.plusMillis(1));
    failing.end();
    scene.world.advance(HoldScene.LEASE);
    assertThat(scene.engine.tickets("a"))
        .as("the store has let the next one in")
        .singleElement()
        .matches(ticket -> ticket.state() == EngineInspector.TicketView.State.HOLDING);
    scene.world.refuseCallbacks(null);
    scene.world.advance(Duration.ofSeconds(1));
    assertThat(next).isCompletedWithValueMatching(Hold::isHeld);
    assertThat(reported).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = "FIXED") // It is not renewed, so not reported.
  void a_claim_of_its_own_is_released_though_its_loss_cannot_be_reported(Primitive primitive)
      throws Exception {
    HoldHandle hold = takeAndListen(primitive);
    scene.world.refuseCallbacks(Refusal.OUT_OF_MEMORY::thrown);
    scene.inspector().revoke(HoldScene.resource("a"), hold.token(), "it is needed elsewhere");
    scene.world.advance(HoldScene.LEASE.dividedBy(2));
    assertThat(hold.loss().orElseThrow().cause()).isEqualTo(Loss.Cause.REVOKED);
    assertThat(scene.engine.lines()).as("it has left").isEmpty();
    assertThat(reported).isEmpty();
    scene.world.refuseCallbacks(null);
    scene.world.advance(Duration.ofSeconds(1));
    assertThat(reported).hasSize(1);
  }

  @Test
  void a_listener_that_throws_an_error_stops_no_caller() throws Exception {
    HoldScene broken =
        new HoldScene(
            options ->
                options.withListener(
                    event -> {
                      if (event instanceof HoldfastListener.Lost) {
                        throw new OutOfMemoryError("unable to create native thread");
                      }
                    }));
    broken.take("a").onLoss(reported::add);
    CompletableFuture<Hold> next = broken.lock("a").acquireAsync(Duration.ofHours(1));
    ScriptedEngine.Rule failing = broken.renewalsFail();
    broken.world.advance(HoldScene.BELIEVED.plusMillis(1));
    failing.end();
    broken.world.advance(HoldScene.LEASE);
    assertThat(reported).hasSize(1);
    assertThat(next).isCompletedWithValueMatching(Hold::isHeld);
  }

  @Test
  void closing_gives_everything_back_and_ends_in_its_time() throws Exception {
    takeAndListen(Primitive.ANY);
    scene.world.refuseCallbacks(Refusal.OUT_OF_MEMORY::thrown);
    Duration began = scene.world.elapsed();
    scene.client.close(Duration.ofSeconds(3));
    assertThat(scene.world.elapsed().minus(began)).isEqualTo(Duration.ofSeconds(3));
    assertThat(scene.engine.lines()).isEmpty();
    scene.world.refuseCallbacks(null);
    scene.world.advance(Duration.ofSeconds(1));
    assertThat(reported).singleElement().extracting(Loss::cause).isEqualTo(Loss.Cause.CLOSED);
  }

  @Test
  void a_lane_that_hangs_is_replaced_and_its_connection_closed_when_there_is_a_thread()
      throws Exception {
    LaneScene lanes = new LaneScene();
    RecordedAnswer<Standing> hung = new RecordedAnswer<>();
    lanes.hang(hung);
    RecordedAnswer<Standing> behind = lanes.attempt("behind");
    lanes.world.refuseCallbacks(Refusal.OUT_OF_MEMORY::thrown);
    lanes.timeOut();
    assertThat(hung.get()).isInstanceOf(EngineException.Unknown.class);
    assertThat(behind.get()).isInstanceOf(Standing.Granted.class);
    assertThat(lanes.replaced).containsExactly("lane");
    assertThat(lanes.engine.connectionsClosed()).isZero();
    lanes.world.refuseCallbacks(null);
    lanes.world.advance(Duration.ofSeconds(1));
    assertThat(lanes.engine.connectionsClosed()).isEqualTo(1);
  }
}
