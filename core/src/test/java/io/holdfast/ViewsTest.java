package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** U62. Lease, order and renewal are chosen for each use, not for the whole client. */
class ViewsTest {

  private final TestWorld world = new TestWorld().drive();
  private final ScriptedEngine engine = ScriptedEngine.on(world);
  private final Holdfast holdfast = Holdfast.open(engine, HoldfastOptions.DEFAULTS, world);

  @Test
  void u62TheLeaseIsChosenForEachUse() throws Exception {
    Holdfast brief = holdfast.with(o -> o.withLease(Duration.ofSeconds(4)));
    Holdfast fixed = brief.with(o -> o.withFixedLease(Duration.ofSeconds(8)));
    Hold one = holdfast.lock("one").acquire(Duration.ofSeconds(1));
    Hold two = brief.lock("two").acquire(Duration.ofSeconds(1));
    Hold three = fixed.lock("three").acquire(Duration.ofSeconds(1));
    assertThat(one.remaining()).isEqualTo(HoldScene.BELIEVED);
    assertThat(two.remaining()).isEqualTo(Duration.ofMillis(3_700));
    assertThat(three.remaining()).isEqualTo(Duration.ofMillis(7_500));
    world.advance(Duration.ofMinutes(1));
    assertThat(one.isHeld() && two.isHeld()).isTrue();
    assertThat(three.isHeld()).isFalse();
    assertThat(holdfast.options().lease()).isEqualTo(Duration.ofSeconds(30));
    assertThat(fixed.options().fixedLease()).isTrue();
  }

  @Test
  void u62TheOrderIsChosenForEachUse() throws Exception {
    Holdfast fair = holdfast.with(o -> o.withOrder(Order.FIFO));
    Hold held = fair.lock("a").acquire(Duration.ofSeconds(1));
    CompletableFuture<Hold> first = fair.lock("a").acquireAsync(Duration.ofMinutes(1));
    CompletableFuture<Hold> second = fair.lock("a").acquireAsync(Duration.ofMinutes(1));
    assertThat(engine.tickets("a")).hasSize(3);
    held.release();
    world.runCallbacks();
    assertThat(first).isDone();
    assertThat(second).isNotDone();
    first.get().release();
    world.runCallbacks();
    assertThat(second).isDone();
  }

  @Test
  void closingAViewClosesTheClient() throws Exception {
    Hold held = holdfast.lock("a").acquire(Duration.ofSeconds(1));
    holdfast.with(o -> o.withText("a view")).close();
    assertThat(held.isHeld()).isFalse();
    assertThat(holdfast.health().status()).isEqualTo(Health.Status.CLOSED);
    assertThat(engine.lines()).isEmpty();
  }

  @Test
  void theLabelSaysWhoHoldsIt() throws Exception {
    Holdfast labelled = holdfast.with(o -> o.withApp("shop").withText("order 42"));
    Hold hold = labelled.lock("a").acquire(Duration.ofSeconds(1));
    EngineInspector.TicketView shown = engine.tickets("a").get(0);
    assertThat(shown.owner().app()).isEqualTo("shop");
    assertThat(shown.owner().text()).isEqualTo("order 42");
    assertThat(shown.owner().pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(shown.owner().thread()).isEqualTo(Thread.currentThread().getName());
    assertThat(shown.token()).isEqualTo(hold.token());
  }

  @Test
  void aClientReportsWhatItsStorePromises() {
    assertThat(holdfast.guarantees()).contains(Guarantee.FENCING, Guarantee.FIFO);
    assertThat(holdfast.traits().store()).isEqualTo("memory:");
    assertThat(holdfast.inspector()).isPresent();
  }
}
