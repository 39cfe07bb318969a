package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.runtime.client.ClientView;
import io.holdfast.runtime.client.LockName;
import io.holdfast.runtime.primitive.DefaultReadWriteLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReadWriteLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** U38. Readers together, a writer alone, strictly in the order of arrival. */
@Timeout(60)
// What is tested is the locks themselves, not what they protect.
@SuppressWarnings("LockNotBeforeTry")
class U38ReadWriteTest {

  private static final Duration LONG = Duration.ofHours(1);

  private final HoldScene scene = new HoldScene();
  private final DistributedReadWriteLock here =
      new DefaultReadWriteLock(scene.view(), LockName.plain("a"));
  private final DistributedReadWriteLock there =
      new DefaultReadWriteLock(scene.rival.view(scene.rival.options()), LockName.plain("a"));

  private boolean isDone(CompletableFuture<Hold> asked) {
    scene.world.runCallbacks();
    return asked.isDone();
  }

  @Test
  void readersAreInTogetherAndAWriterAlone() throws Exception {
    Hold one = here.readLock().tryAcquire().orElseThrow();
    Hold two = there.readLock().tryAcquire().orElseThrow();
    assertThat(there.writeLock().tryAcquire()).isEmpty();
    one.release();
    two.release();
    Hold writer = there.writeLock().tryAcquire().orElseThrow();
    assertThat(here.readLock().tryAcquire()).isEmpty();
    assertThat(writer.token()).isGreaterThan(two.token());
    assertThat(here.name()).isEqualTo("a");
  }

  @Test
  void aWaitingWriterIsNotStarvedByReadersThatKeepComing() throws Exception {
    Hold first = here.readLock().tryAcquire().orElseThrow();
    CompletableFuture<Hold> writer = there.writeLock().acquireAsync(LONG);
    CompletableFuture<Hold> later = here.readLock().acquireAsync(LONG);
    assertThat(here.readLock().tryAcquire()).isEmpty();
    assertThat(isDone(later)).isFalse();
    first.release();
    assertThat(isDone(writer)).isTrue();
    assertThat(isDone(later)).isFalse();
    writer.get().release();
    assertThat(isDone(later)).isTrue();
  }

  @Test
  void aWriterThatDowngradesKeepsWritersOutWithNoGap() throws Exception {
    Hold writer = here.writeLock().tryAcquire().orElseThrow();
    CompletableFuture<Hold> next = there.writeLock().acquireAsync(LONG);
    Hold reader = here.downgrade(writer);
    assertThat(writer.isHeld()).isFalse();
    assertThat(writer.release()).isEqualTo(Outcome.ALREADY_RELEASED);
    assertThat(reader.isHeld()).isTrue();
    assertThat(reader.token()).isEqualTo(writer.token());
    assertThat(reader.id()).isEqualTo(writer.id());
    assertThat(isDone(next)).isFalse();
    scene.world.advance(Duration.ofMinutes(5));
    assertThat(reader.isHeld()).isTrue();
    assertThat(isDone(next)).isFalse();
    reader.release();
    assertThat(isDone(next)).isTrue();
  }

  @Test
  void aDowngradeLetsReadersIn() throws Exception {
    Hold writer = here.writeLock().tryAcquire().orElseThrow();
    CompletableFuture<Hold> reader = there.readLock().acquireAsync(LONG);
    here.downgrade(writer);
    assertThat(isDone(reader)).isTrue();
  }

  @Test
  void aDowngradeInDoubtGivesUp() throws Exception {
    Hold writer = here.writeLock().tryAcquire().orElseThrow();
    scene.engine.next(ScriptedEngine.Kind.ATTEMPT, Faults.answerLost());
    assertThatThrownBy(() -> here.downgrade(writer))
        .isInstanceOf(LockLostException.class)
        .hasMessageContaining("its downgrade got no certain reply");
    assertThat(writer.isHeld()).isFalse();
    scene.world.advance(HoldScene.LEASE);
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(scene.client.renewals().size()).isZero();
    writer.close();
  }

  @Test
  void aDowngradeThatWasSurelyNotDoneLeavesTheWriterInPlace() throws Exception {
    Hold writer = here.writeLock().tryAcquire().orElseThrow();
    scene.engine.next(ScriptedEngine.Kind.ATTEMPT, Faults.down());
    assertThatThrownBy(() -> here.downgrade(writer))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("the writer's hold stands");
    assertThat(writer.isHeld()).isTrue();
    assertThat(there.readLock().tryAcquire()).isEmpty();
    assertThat(here.downgrade(writer).isHeld()).isTrue();
    assertThat(there.readLock().tryAcquire()).isPresent();
  }

  @Test
  void onlyAWritersHoldOfThisLockIsDowngraded() throws Exception {
    Hold reader = here.readLock().tryAcquire().orElseThrow();
    Hold other = scene.take("b");
    for (Hold bad : new Hold[] {reader, other}) {
      assertThatThrownBy(() -> here.downgrade(bad)).isInstanceOf(IllegalArgumentException.class);
      assertThat(bad.isHeld()).isTrue();
    }
    reader.release();
    Hold lost = here.writeLock().tryAcquire().orElseThrow();
    scene.renewalsFail();
    scene.world.advance(HoldScene.BELIEVED);
    assertThatThrownBy(() -> here.downgrade(lost)).isInstanceOf(LockLostException.class);
  }

  @Test
  void aReadersDeathEndsItsShareAloneWithinItsLease() throws Exception {
    Hold dead = here.readLock().tryAcquire().orElseThrow();
    Hold live = there.readLock().tryAcquire().orElseThrow();
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    scene.world.advance(HoldScene.LEASE);
    assertThat(dead.isHeld()).isFalse();
    assertThat(live.isHeld()).isTrue();
    assertThat(scene.engine.tickets("a")).hasSize(1);
    live.release();
    assertThat(there.writeLock().tryAcquire()).isPresent();
  }

  @Test
  void aShortLeaseOfOneReaderDoesNotShortenAnothers() throws Exception {
    ClientView brief =
        scene.client.view(scene.client.options().withFixedLease(Duration.ofSeconds(2)));
    Hold shorter =
        new DefaultReadWriteLock(brief, LockName.plain("a")).readLock().tryAcquire().orElseThrow();
    Hold longer = here.readLock().tryAcquire().orElseThrow();
    assertThat(longer.remaining()).isEqualTo(HoldScene.BELIEVED);
    scene.world.advance(Duration.ofSeconds(2));
    assertThat(shorter.isHeld()).isFalse();
    assertThat(longer.isHeld()).isTrue();
  }

  @Test
  void aReaderThatAsksToWriteIsRefusedAtOnce() {
    ReadWriteLock view = here.asJavaLock();
    view.readLock().lock();
    int before = scene.engine.calls().size();
    assertThatThrownBy(() -> view.writeLock().lock())
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContaining("this thread reads a");
    assertThatThrownBy(() -> view.writeLock().tryLock()).isInstanceOf(LockRefusedException.class);
    assertThat(scene.engine.calls()).hasSize(before);
    view.readLock().unlock();
    view.writeLock().lock();
    view.writeLock().unlock();
    assertThat(scene.engine.lines()).isEmpty();
  }

  @Test
  void inTheViewAWriterMayReadAndThenGiveUpWritingAlone() throws Exception {
    ReadWriteLock view = here.asJavaLock();
    view.writeLock().lock();
    view.writeLock().lock();
    view.readLock().lock();
    CompletableFuture<Hold> writer = there.writeLock().acquireAsync(LONG);
    view.writeLock().unlock();
    assertThat(there.readLock().tryAcquire()).isEmpty();
    view.writeLock().unlock();
    assertThat(isDone(writer)).isFalse();
    assertThat(scene.engine.tickets("a").get(0).weight()).isEqualTo(1);
    assertThatThrownBy(() -> view.writeLock().unlock())
        .isInstanceOf(IllegalMonitorStateException.class);
    view.readLock().unlock();
    assertThat(isDone(writer)).isTrue();
    assertThat(RuntimeInternals.threadHolds(scene.client)).isEmpty();
  }

  @Test
  void aThreadThatDiesAfterItsDowngradeLeavesNothingInTheClient() {
    ReadWriteLock view = here.asJavaLock();
    Caller.start(
            () -> {
              view.writeLock().lock();
              view.readLock().lock();
              view.writeLock().unlock();
              return null;
            })
        .result();
    try (Logs logs = new Logs()) {
      scene.world.advance(Duration.ofSeconds(11));
      assertThat(logs.with("no thread can release a any more")).hasSize(1);
    }
    assertThat(scene.engine.lines()).isEmpty();
    assertThat(RuntimeInternals.threadHolds(scene.client)).isEmpty();
  }
}
