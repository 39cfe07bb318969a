package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.memory.MemoryFenceGuard;
import io.holdfast.runtime.client.LockName;
import io.holdfast.runtime.primitive.DefaultReadWriteLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The java.util.concurrent view: owned by the thread, re-entrant. */
@Timeout(60)
// What is tested is the locks themselves, not what they protect.
@SuppressWarnings("LockNotBeforeTry")
class JavaLockTest {

  private final HoldScene scene = new HoldScene();

  private Lock lock() {
    return scene.lock("a").asJavaLock();
  }

  private boolean isFree() throws InterruptedException {
    var rivals = scene.rivalsLock("a").tryAcquire();
    rivals.ifPresent(Hold::release);
    return rivals.isPresent();
  }

  @Test
  void itIsReentrantWithOneTicketAndOneTokenHoweverManyViewsThereAre() throws Exception {
    lock().lock();
    long token = scene.engine.tickets("a").get(0).token();
    assertThat(lock().tryLock()).isTrue();
    lock().lockInterruptibly();
    assertThat(lock().tryLock(1, TimeUnit.SECONDS)).isTrue();
    assertThat(scene.engine.tickets("a")).hasSize(1);
    assertThat(scene.engine.tickets("a").get(0).token()).isEqualTo(token);
    assertThat(scene.engine.count(ScriptedEngine.Kind.ATTEMPT)).isEqualTo(1);
    for (int i = 0; i < 3; i++) {
      lock().unlock();
      assertThat(isFree()).isFalse();
    }
    lock().unlock();
    assertThat(isFree()).isTrue();
    assertThat(RuntimeInternals.threadHolds(scene.client)).isEmpty();
  }

  @Test
  void anotherThreadNeitherEntersNorUnlocks() throws Exception {
    Lock lock = lock();
    lock.lock();
    assertThat(Caller.start(lock::tryLock).result()).isFalse();
    Caller<Void> thief =
        Caller.start(
            () -> {
              lock.unlock();
              return null;
            });
    assertThat(thief.failure())
        .isInstanceOf(IllegalMonitorStateException.class)
        .hasMessage("a is not held by thread caller");
    assertThat(isFree()).isFalse();
    lock.unlock();
    assertThat(isFree()).isTrue();
  }

  @Test
  void unlockingWhatIsNotHeldIsAMistakeOfTheCaller() {
    assertThatThrownBy(() -> lock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
    lock().lock();
    lock().unlock();
    assertThatThrownBy(() -> lock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void u62LockWaitsThroughAnInterruptAndSetsTheFlagOnReturn() throws Exception {
    Hold rivals = scene.rivalsLock("a").tryAcquire().orElseThrow();
    Caller<Boolean> caller =
        Caller.start(
            () -> {
              lock().lock();
              boolean flag = Thread.currentThread().isInterrupted();
              lock().unlock();
              return flag;
            });
    scene.world.awaitParked(caller.thread());
    caller.thread().interrupt();
    Await.until("the interrupt was seen", () -> !caller.thread().isInterrupted());
    scene.world.awaitParked(caller.thread());
    assertThat(caller.isDone()).isFalse();
    rivals.release();
    scene.world.advanceMillis(10);
    assertThat(caller.result()).isTrue();
    assertThat(caller.cameBackInterrupted()).isTrue();
    assertThat(isFree()).isTrue();
  }

  @Test
  void u62LockOfAnInterruptedThreadKeepsTheFlagToo() {
    Thread.currentThread().interrupt();
    lock().lock();
    assertThat(Thread.interrupted()).isTrue();
    Thread.currentThread().interrupt();
    assertThat(lock().tryLock()).isTrue();
    assertThat(Thread.interrupted()).isTrue();
    lock().unlock();
    lock().unlock();
  }

  @Test
  void lockInterruptiblyAndTimedTriesReactToInterrupts() throws Exception {
    Hold rivals = scene.rivalsLock("a").tryAcquire().orElseThrow();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> lock().lockInterruptibly()).isInstanceOf(InterruptedException.class);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> lock().tryLock(1, TimeUnit.SECONDS))
        .isInstanceOf(InterruptedException.class);
    assertThat(scene.engine.tickets("a")).hasSize(1);
    rivals.release();
  }

  @Test
  void aTimedTryWaitsThatLong() throws Exception {
    Hold rivals = scene.rivalsLock("a").tryAcquire().orElseThrow();
    Duration before = scene.world.elapsed();
    assertThat(lock().tryLock(3, TimeUnit.SECONDS)).isFalse();
    assertThat(scene.world.elapsed().minus(before)).isEqualTo(Duration.ofSeconds(3));
    assertThat(lock().tryLock(0, TimeUnit.SECONDS)).isFalse();
    assertThat(lock().tryLock(-1, TimeUnit.SECONDS)).isFalse();
    rivals.release();
    scene.world.advanceMillis(10);
    assertThat(lock().tryLock(0, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aLockThatWasLostSaysSoAtReentryAndAtUnlockButOnce() {
    scene.renewalsFail();
    lock().lock();
    scene.world.advance(HoldScene.BELIEVED);
    assertThatThrownBy(() -> lock().lock()).isInstanceOf(LockLostException.class);
    lock().unlock();
    assertThatThrownBy(() -> lock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
    lock().lock();
    scene.world.advance(HoldScene.BELIEVED);
    assertThatThrownBy(() -> lock().unlock()).isInstanceOf(LockLostException.class);
    assertThatThrownBy(() -> lock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void theHoldOfTheThreadHasOneTokenForGuardsHoweverOftenItHasLocked() throws Exception {
    MemoryFenceGuard guard = new MemoryFenceGuard();
    JavaLock lock = scene.lock("a").asJavaLock();
    lock.lock();
    Hold hold = lock.hold();
    guard.claim(hold);
    lock.lock();
    assertThat(lock.hold().token()).isEqualTo(hold.token());
    assertThat(lock.hold().id()).isEqualTo(hold.id());
    guard.claim(lock.hold());
    lock.unlock();
    assertThat(hold.isHeld()).isTrue();
    lock.unlock();
    assertThat(hold.isHeld()).isFalse();
    try (Hold later = scene.rivalsLock("a").tryAcquire().orElseThrow()) {
      guard.claim(later);
    }
    assertThatThrownBy(() -> guard.claim(hold)).isInstanceOf(StaleTokenException.class);
  }

  @Test
  void onlyUnlockGivesTheHoldBack() throws Exception {
    JavaLock lock = scene.lock("a").asJavaLock();
    lock.lock();
    assertThatThrownBy(() -> lock.hold().release())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("unlock()");
    assertThatThrownBy(() -> lock.hold().close()).isInstanceOf(UnsupportedOperationException.class);
    assertThat(lock.hold().isHeld()).isTrue();
    assertThat(isFree()).isFalse();
    lock.unlock();
    assertThat(isFree()).isTrue();
  }

  @Test
  void aThreadThatHasNotLockedHasNoHold() throws Exception {
    JavaLock lock = scene.lock("a").asJavaLock();
    assertThatThrownBy(lock::hold).isInstanceOf(IllegalMonitorStateException.class);
    lock.lock();
    assertThat(Caller.start(lock::hold).failure()).isInstanceOf(IllegalMonitorStateException.class);
    lock.unlock();
    assertThatThrownBy(lock::hold).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void theHoldReportsALossAndUnlockDoesNotThrowItTwice() {
    List<Loss> reported = new ArrayList<>();
    scene.renewalsFail();
    JavaLock lock = scene.lock("a").asJavaLock();
    lock.lock();
    lock.hold().onLoss(reported::add);
    scene.world.advance(HoldScene.BELIEVED);
    assertThat(reported).hasSize(1);
    assertThat(lock.hold().isHeld()).isFalse();
    assertThatThrownBy(() -> lock.hold().ensureHeld()).isInstanceOf(LockLostException.class);
    lock.unlock();
  }

  @Test
  void bothSidesOfAReadWriteLockHaveTheHoldAndADowngradeKeepsTheToken() {
    JavaReadWriteLock sides =
        new DefaultReadWriteLock(scene.view(), LockName.plain("rw")).asJavaLock();
    sides.writeLock().lock();
    long token = sides.writeLock().hold().token();
    assertThatThrownBy(() -> sides.readLock().hold())
        .isInstanceOf(IllegalMonitorStateException.class);
    sides.readLock().lock();
    Hold writer = sides.writeLock().hold();
    sides.writeLock().unlock();
    assertThat(writer.isHeld()).isFalse();
    assertThat(sides.readLock().hold().isHeld()).isTrue();
    assertThat(sides.readLock().hold().token()).isEqualTo(token);
    assertThatThrownBy(() -> sides.writeLock().hold())
        .isInstanceOf(IllegalMonitorStateException.class);
    sides.readLock().unlock();
  }

  @Test
  void thereAreNoConditions() {
    assertThatThrownBy(() -> lock().newCondition())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aThreadThatHoldsOnePermitDoesNotReenterForMore() throws Exception {
    DistributedSemaphore pool = scene.view().semaphore(LockName.plain("pool"), 3);
    Lock one = pool.asJavaLock();
    Lock three = pool.permits(3).asJavaLock();
    one.lock();
    boolean entered = tryOrRefuse(three);
    assertThat(entered).as("three permits with one ticket of one permit").isFalse();
    one.unlock();
    assertThat(three.tryLock()).isTrue();
    three.unlock();
  }

  private static boolean tryOrRefuse(Lock lock) {
    try {
      return lock.tryLock();
    } catch (LockRefusedException e) {
      return false;
    }
  }

  @Test
  void aThreadThatHoldsAMutexDoesNotReenterItAsSomethingElse() {
    lock().lock();
    Lock reader =
        new DefaultReadWriteLock(scene.view(), LockName.plain("a")).asJavaLock().readLock();
    assertThatThrownBy(reader::lock).isInstanceOf(LockRefusedException.class);
    lock().unlock();
  }
}
