package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** U08. A hold belongs to its handle, whatever the thread; only the Java view counts threads. */
class U08HandleOwnsTheHoldTest {

  private static final Duration WAIT = Duration.ofSeconds(5);

  private final Holdfast holdfast = Holdfast.connect("memory:");
  private final ExecutorService elsewhere = Executors.newSingleThreadExecutor();

  @AfterEach
  void close() {
    holdfast.close();
    elsewhere.shutdown();
  }

  @Test
  void aHandleIsCheckedAndReleasedOnAnyThread() throws Exception {
    Hold hold = holdfast.lock("a").acquire(WAIT);
    assertThat(elsewhere.submit(hold::isHeld).get()).isTrue();
    assertThat(elsewhere.submit(() -> hold.release()).get()).isEqualTo(Outcome.RELEASED);
    assertThat(holdfast.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void twoTasksOfOneThreadDoNotEnterEachOthersSection() throws Exception {
    Hold first = holdfast.lock("a").acquire(WAIT);
    assertThat(holdfast.lock("a").tryAcquire()).isEmpty();
    CompletableFuture<Hold> second = holdfast.lock("a").acquireAsync(WAIT);
    assertThat(second).isNotDone();
    first.release();
    assertThat(second.get().token()).isGreaterThan(first.token());
  }

  @Test
  void aStageOfAFutureReleasesWhatAnotherThreadAcquired() throws Exception {
    Outcome outcome =
        holdfast.lock("a").acquireAsync(WAIT).thenApplyAsync(Hold::release, elsewhere).get();
    assertThat(outcome).isEqualTo(Outcome.RELEASED);
  }

  @Test
  void theJavaViewBelongsToItsThread() throws Exception {
    Lock view = holdfast.lock("a").asJavaLock();
    view.lock();
    try {
      assertThatThrownBy(() -> elsewhere.submit(view::unlock).get())
          .hasCauseInstanceOf(IllegalMonitorStateException.class);
    } finally {
      view.unlock();
    }
    assertThat(holdfast.lock("a").tryAcquire()).isPresent();
  }
}
