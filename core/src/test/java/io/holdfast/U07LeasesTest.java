package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.hold.HoldHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U07. No lease must be guessed: holds are renewed, and a dead holder's name is free in time. */
class U07LeasesTest {

  @Test
  void whenNothingIsSaidAHoldIsRenewedUnderALeaseOfThirtySeconds() {
    assertThat(HoldfastOptions.DEFAULTS.lease()).isEqualTo(Duration.ofSeconds(30));
    assertThat(HoldfastOptions.DEFAULTS.fixedLease()).isFalse();
    assertThat(HoldfastOptions.DEFAULTS.withLease(Duration.ofSeconds(2)).fixedLease()).isFalse();
    assertThat(HoldfastOptions.DEFAULTS.withFixedLease(Duration.ofSeconds(2)).fixedLease())
        .isTrue();
    assertThat(HoldfastOptions.LEASE_FLOOR).isEqualTo(Duration.ofSeconds(2));
  }

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void theNameOfAHolderThatDiedIsGrantableWithinItsLeaseAndASecond(Primitive primitive)
      throws Exception {
    HoldScene scene = new HoldScene();
    HoldHandle dead = scene.take(primitive, "a");
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    CompletableFuture<Hold> next =
        primitive
            .of(scene.rival.view(scene.rival.options()), "a")
            .acquireAsync(Duration.ofMinutes(5));
    scene.world.advanceUntil("the next is in", Duration.ofSeconds(31), next::isDone);
    assertThat(next.get().token()).isGreaterThan(dead.token());
    assertThat(scene.world.elapsed()).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void aShortLeaseFreesTheNameOfADeadHolderInSeconds() throws Exception {
    HoldScene scene = new HoldScene(o -> o.withLease(Duration.ofSeconds(2)));
    scene.take("a");
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    CompletableFuture<Hold> next = scene.rivalsLock("a").acquireAsync(Duration.ofMinutes(5));
    scene.world.advanceUntil("the next is in", Duration.ofSeconds(3), next::isDone);
    assertThat(scene.world.elapsed()).isBetween(Duration.ofMillis(2_000), Duration.ofMillis(2_010));
  }

  @Test
  void aDeadWaiterIsForgottenWithinItsLeaseToo() throws Exception {
    HoldScene scene = new HoldScene();
    Hold rivals =
        Primitive.FIFO.of(scene.rival.view(scene.rival.options()), "a").tryAcquire().orElseThrow();
    var unused = Primitive.FIFO.of(scene.view(), "a").acquireAsync(Duration.ofHours(1));
    assertThat(scene.engine.tickets("a")).hasSize(2);
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    scene.world.advance(HoldScene.LEASE);
    assertThat(scene.engine.tickets("a")).hasSize(1);
    assertThat(rivals.isHeld()).isTrue();
  }
}
