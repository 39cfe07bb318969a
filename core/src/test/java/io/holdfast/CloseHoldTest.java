package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U10. Closing a hold reports a loss once, and never hides the body's own exception. */
class CloseHoldTest {

  private final HoldScene scene = new HoldScene();

  private HoldHandle lost() throws InterruptedException {
    HoldHandle hold = scene.take("a");
    ScriptedEngine.Rule failing = scene.renewalsFail();
    scene.world.advance(HoldScene.BELIEVED);
    failing.end();
    assertThat(hold.loss()).isPresent();
    return hold;
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void u10AHoldThatIsHeldClosesInSilence(Primitive primitive) throws Exception {
    try (HoldHandle hold = scene.take(primitive, "a")) {
      assertThat(hold.isHeld()).isTrue();
    }
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void u10AHoldThatWasLostSaysSoWhenItIsClosed() throws Exception {
    HoldHandle hold = lost();
    LockLostException thrown = (LockLostException) catchThrowable(hold::close);
    assertThat(thrown.loss()).isEqualTo(hold.loss().orElseThrow());
    assertThat(thrown).hasMessageContainingAll("hold was lost", "EXPIRED", "a at memory:");
    assertThat(thrown.getStackTrace()[0].getMethodName()).isEqualTo("close");
    hold.close();
  }

  @Test
  void u10ALossThatWasThrownBeforeIsNotThrownAgain() throws Exception {
    HoldHandle hold = lost();
    assertThatThrownBy(hold::ensureHeld).isInstanceOf(LockLostException.class);
    hold.close();
  }

  @Test
  void u10ALossThatWasThrownBeforeItWasReportedIsNotThrownAgain() throws Exception {
    HoldHandle hold = scene.take("a");
    scene.renewalsFail();
    scene.world.pass(HoldScene.BELIEVED);
    assertThatThrownBy(hold::ensureHeld).isInstanceOf(LockLostException.class);
    hold.close();
    assertThat(hold.loss()).isPresent();
  }

  @Test
  void u10ALossThatReleaseReturnedIsNotThrown() throws Exception {
    HoldHandle hold = lost();
    assertThat(hold.release()).isEqualTo(Outcome.LOST);
    hold.close();
  }

  @Test
  void u10TheBodysExceptionIsThrownAndTheLossIsSuppressed() throws Exception {
    HoldHandle hold = lost();
    Throwable thrown =
        catchThrowable(
            () -> {
              try (hold) {
                throw new IllegalStateException("the body's own");
              }
            });
    assertThat(thrown).hasMessage("the body's own");
    assertThat(thrown.getSuppressed()).hasExactlyElementsOfTypes(LockLostException.class);
  }

  @Test
  void u10ABodyThatStopsBecauseOfTheLossGetsItOnce() throws Exception {
    HoldHandle hold = lost();
    Throwable thrown =
        catchThrowable(
            () -> {
              try (hold) {
                hold.ensureHeld();
              }
            });
    assertThat(thrown).isInstanceOf(LockLostException.class);
    assertThat(thrown.getSuppressed()).isEmpty();
  }

  @Test
  void u26ACallRunsItsBodyUnderTheHoldAndReleasesItAfterwards() throws Exception {
    String answer =
        scene
            .lock("a")
            .call(
                Duration.ofSeconds(1),
                hold -> {
                  assertThat(scene.rivalsLock("a").tryAcquire()).isEmpty();
                  return "done by " + hold.name();
                });
    assertThat(answer).isEqualTo("done by a");
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void u26ACallWhoseBodyThrowsReleasesToo() {
    assertThatThrownBy(
            () ->
                scene
                    .lock("a")
                    .call(
                        Duration.ofSeconds(1),
                        hold -> {
                          throw new java.io.IOException("disk full");
                        }))
        .isInstanceOf(java.io.IOException.class)
        .hasMessage("disk full");
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void anUnknownOutcomeIsLoggedAndNotThrown() throws Exception {
    HoldHandle hold = scene.take("a");
    scene.engine.next(ScriptedEngine.Kind.LEAVE, Faults.requestLost());
    try (Logs logs = new Logs()) {
      hold.close();
      assertThat(logs.with("release of a got no reply from memory:")).hasSize(1);
    }
    scene.world.advance(Duration.ofSeconds(1));
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void ensureHeldOfAReleasedHoldIsAMistakeOfTheCaller() throws Exception {
    HoldHandle hold = scene.take("a");
    hold.ensureHeld();
    hold.close();
    assertThatThrownBy(hold::ensureHeld)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("hold was released: a");
  }
}
