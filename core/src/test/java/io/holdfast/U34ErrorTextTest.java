package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.client.LockName;
import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.runtime.hold.HoldState;
import io.holdfast.runtime.primitive.DefaultReadWriteLock;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** U34. The type of an error states its kind, and its text what was measured. */
class U34ErrorTextTest {

  private final HoldScene scene = new HoldScene(o -> o.withApp("billing").withText("nightly run"));

  @ParameterizedTest
  @EnumSource(Primitive.class)
  void busyNamesTheHolderTheStoreAndWhatWasMeasured(Primitive primitive) throws Exception {
    Hold rivals =
        primitive.of(scene.rival.view(scene.rival.options()), "a").tryAcquire().orElseThrow();
    int before = scene.engine.count(ScriptedEngine.Kind.ATTEMPT);
    LockTimeoutException thrown =
        (LockTimeoutException)
            catchThrowable(() -> primitive.of(scene.view(), "a").acquire(Duration.ofMillis(1_234)));
    int attempts = scene.engine.count(ScriptedEngine.Kind.ATTEMPT) - before;
    assertThat(attempts).isGreaterThan(1);
    String thread = Thread.currentThread().getName();
    assertThat(thrown)
        .hasMessageStartingWith(
            "busy: \"a\" at memory:, waited 1234 ms, " + attempts + " attempts; held by ")
        .hasMessageContainingAll(
            "billing pid " + ProcessHandle.current().pid(),
            "thread " + thread,
            "nightly run",
            "token " + rivals.token());
    assertThat(thrown.holder().orElseThrow().app()).isEqualTo("billing");
    assertThat(thrown.holder().orElseThrow().thread()).isEqualTo(thread);
  }

  @Test
  void theReportedWaitIsTheMeasuredOne() throws Exception {
    Hold rivals = scene.rivalsLock("a").tryAcquire().orElseThrow();
    Caller<Hold> late = Caller.start(() -> scene.lock("a").acquire(Duration.ofSeconds(1)));
    scene.world.awaitParked(late.thread());
    scene.world.pass(Duration.ofSeconds(7));
    assertThat(late.failure()).hasMessageContaining("waited 7000 ms");
    rivals.release();
  }

  @Test
  void busyInThisVeryClientNamesTheHolderToo() throws Exception {
    Hold held = scene.take("a");
    assertThatThrownBy(() -> scene.lock("a").acquire(Duration.ofSeconds(1)))
        .isInstanceOf(LockTimeoutException.class)
        .hasMessageContainingAll("busy: \"a\"", "waited 1000 ms", "token " + held.token());
  }

  @Test
  void aStoreThatIsDownIsUnavailableAndNeverBusy() {
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    for (Duration wait : new Duration[] {Duration.ofSeconds(3), Duration.ZERO}) {
      assertThatThrownBy(() -> scene.lock("a").tryAcquire(wait))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageStartingWith("the store did not reply in time: \"a\" at memory:, waited ")
          .hasMessageContainingAll("attempts, last: connection refused", "nothing is held")
          .cause()
          .hasMessage("connection refused");
    }
  }

  @Test
  void anAttemptWithoutAReplyIsUnknownAndNeverBusy() {
    scene.engine.always(ScriptedEngine.Kind.ATTEMPT, Faults.requestLost());
    assertThatThrownBy(() -> scene.lock("a").tryAcquire(Duration.ofSeconds(3)))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessageStartingWith("an attempt got no reply: \"a\" at memory:, waited 3000 ms, ")
        .hasMessageContainingAll("last: connection reset", "nothing is held")
        .cause()
        .hasMessage("connection reset");
  }

  @Test
  void anAttemptInDoubtStaysInDoubtThoughLaterOnesSurelyFailed() {
    scene.engine.next(ScriptedEngine.Kind.ATTEMPT, Faults.answerLost());
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    assertThatThrownBy(() -> scene.lock("a").acquire(Duration.ofSeconds(3)))
        .isInstanceOf(OutcomeUnknownException.class);
  }

  @Test
  void aStoreThatReportedBusyAndThenNothingIsNotReportedAsBusy() throws Exception {
    Hold rivals = scene.rivalsLock("a").tryAcquire().orElseThrow();
    CompletableFuture<Hold> asked = scene.lock("a").acquireAsync(Duration.ofSeconds(5));
    scene.world.advance(Duration.ofSeconds(2));
    scene.engine.script(call -> true, Faults.down(), Integer.MAX_VALUE);
    scene.world.advance(Duration.ofSeconds(3));
    assertThat(asked)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(rivals.isHeld()).isTrue();
  }

  @Test
  void aRefusalEndsTheWaitAtOnceAndSaysWhyAndWhat() throws Exception {
    Hold semaphore = scene.view().semaphore(LockName.plain("a"), 3).tryAcquire().orElseThrow();
    Duration before = scene.world.elapsed();
    assertThatThrownBy(() -> scene.lock("a").acquire(Duration.ofHours(1)))
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContainingAll("semaphore of 3", "mutex in order ANY", "\"a\"", "memory:");
    assertThat(scene.world.elapsed()).isEqualTo(before);
    assertThat(semaphore.isHeld()).isTrue();
  }

  @Test
  void aNameCannotBreakALineOrPretendToBeText() throws Exception {
    String nasty = "a\"\nWARN all is lost\u202e";
    Hold rivals = scene.rivalsLock(nasty).tryAcquire().orElseThrow();
    Throwable thrown = catchThrowable(() -> scene.lock(nasty).acquire(Duration.ofSeconds(1)));
    assertThat(thrown.getMessage()).doesNotContain("\n", "\u202e").contains("\\u000a", "\\\"");
    assertThat(rivals.isHeld()).isTrue();
  }

  @Test
  void noMessageHasTheSecretOfATicket() throws Exception {
    Hold hold = scene.take("a");
    String secret =
        ((HoldHandle) hold).holdState().claim().ticket().id().encoded().substring(0, 32);
    Throwable thrown = catchThrowable(() -> scene.rivalsLock("a").acquire(Duration.ofSeconds(1)));
    assertThat(thrown.getMessage() + hold + hold.id()).doesNotContain(secret.substring(0, 16));
    assertThat(((HoldHandle) hold).holdState().claim().ticket().toString())
        .doesNotContain(secret.substring(0, 16));
  }

  @Test
  void whatAStoreDoesNotPromiseIsRefusedAtTheStart() {
    TestWorld world = new TestWorld();
    Holdfast holdfast = Holdfast.open(ScriptedEngine.on(world), HoldfastOptions.DEFAULTS, world);
    assertThat(holdfast.require(Guarantee.FENCING, Guarantee.FIFO)).isSameAs(holdfast);
    assertThatThrownBy(
            () -> holdfast.require(Guarantee.FENCING, Guarantee.EXCLUSION_SURVIVES_FAILOVER))
        .isInstanceOf(LockRefusedException.class)
        .hasMessage(
            "memory: does not promise [EXCLUSION_SURVIVES_FAILOVER]; use a store that does");
  }

  @Test
  void anAcquireThatWaitsForItsOwnClientSaysSoOnceInTheLog() throws Exception {
    Hold held = scene.take("a");
    try (Logs logs = new Logs()) {
      CompletableFuture<Hold> async = scene.lock("a").acquireAsync(Duration.ofSeconds(60));
      scene.world.advance(Duration.ofMillis(9_999));
      assertThat(logs.with("has waited")).isEmpty();
      scene.world.advance(Duration.ofSeconds(60));
      assertThat(async).isCompletedExceptionally();
      assertThat(logs.with("has waited 10 s for \"a\", which this same client already holds"))
          .singleElement()
          .asString()
          .contains("token " + held.token());
      assertThat(logs.with("has waited")).hasSize(1);
    }
  }

  @Test
  void anAcquireThatWaitsForItsOwnThreadSaysSoAfterASecond() throws Exception {
    Hold held = scene.take("a");
    try (Logs logs = new Logs()) {
      assertThat(scene.lock("a").tryAcquire(Duration.ofMillis(999))).isEmpty();
      assertThat(logs.with("has waited")).isEmpty();
      assertThat(scene.lock("a").tryAcquire(Duration.ofMillis(1_001))).isEmpty();
      assertThat(logs.with("has waited 1 s for \"a\", which this same thread already holds"))
          .singleElement()
          .asString()
          .contains("asJavaLock()", "token " + held.token());
      assertThat(scene.lock("a").tryAcquire(Duration.ofSeconds(60))).isEmpty();
      assertThat(logs.with("has waited")).as("once for each acquire").hasSize(2);
    }
  }

  @Test
  void aThreadThatHasNotSeenItsGrantYetIsNotWarnedOfIt() throws Exception {
    Hold held = scene.take("a");
    Client client = scene.client;
    Resource resource = scene.view().resource(LockName.plain("a"));
    HoldState granted = client.renewals().heldOn(resource, holdState -> true);
    try (Logs logs = new Logs()) {
      assertThat(client.concernForItself(granted.request())).isFalse();
      client.concern(granted.request());
      assertThat(logs.with("has waited")).isEmpty();
    }
    held.close();
  }

  @Test
  void aWriterThatAsksToReadInItsOwnThreadIsWarnedButNotForAnotherPermit() throws Exception {
    DistributedReadWriteLock sides = new DefaultReadWriteLock(scene.view(), LockName.plain("rw"));
    Hold writer = sides.writeLock().tryAcquire().orElseThrow();
    Hold permits = scene.view().semaphore(LockName.plain("pool"), 2).permits(2).acquire();
    try (Logs logs = new Logs()) {
      assertThat(sides.readLock().tryAcquire(Duration.ofSeconds(2))).isEmpty();
      assertThat(logs.with("which this same thread already holds")).hasSize(1);
      DistributedSemaphore pool = scene.view().semaphore(LockName.plain("pool"), 2);
      assertThat(pool.tryAcquire(Duration.ofSeconds(9))).isEmpty();
      assertThat(logs.with("has waited")).hasSize(1);
      assertThat(pool.tryAcquire(Duration.ofSeconds(11))).isEmpty();
      assertThat(logs.with("which this same client already holds")).hasSize(1);
    }
    writer.release();
    permits.release();
  }
}
