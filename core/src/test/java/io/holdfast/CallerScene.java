package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.runtime.client.Client;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Blocking callers over the real lanes, with a manual clock, and a rival client. */
final class CallerScene {

  static final String NAME = "door";

  private static final int STEPS = 100;
  private static final int LOOKS_A_STEP = 100;

  final TestWorld world = new TestWorld();
  final ScriptedEngine engine = ScriptedEngine.on(world).blocking(1, 100);
  final Client client = Client.open(engine, HoldfastOptions.DEFAULTS, world);
  final Client rival = Client.open(engine.rival(), HoldfastOptions.DEFAULTS, world);
  final Primitive primitive;

  CallerScene(Primitive primitive) {
    this.primitive = primitive;
  }

  DistributedLock door() {
    return primitive.of(client.view(client.options()), NAME);
  }

  DistributedLock rivalsDoor() {
    return primitive.of(rival.view(rival.options()), NAME);
  }

  /** A caller that waits in line behind the rival. */
  Caller<Hold> waitingCaller(Callable<Hold> acquire) {
    int before = engine.tickets(NAME).size();
    Caller<Hold> caller = Caller.start(acquire);
    Await.until("it is in line", () -> engine.tickets(NAME).size() > before);
    awaitReplies();
    world.awaitParked(caller.thread());
    return caller;
  }

  /** There is one open lane: when a later verb has its reply, all earlier verbs have theirs. */
  private void awaitReplies() {
    RecordedAnswer<Boolean> noted = new RecordedAnswer<>();
    client.lane().submit(new Verb.Resize(Tickets.of("flush", Shape.semaphore(1), 1), noted));
    noted.get();
  }

  /** A caller whose attempt hangs at the gate. */
  Caller<Hold> hangingCaller(Gate gate, Callable<Hold> acquire) {
    engine.next(ScriptedEngine.Kind.ATTEMPT, gate);
    Caller<Hold> caller = Caller.start(acquire);
    gate.awaitEntered();
    world.awaitParked(caller.thread());
    return caller;
  }

  /**
   * Checks that nothing of the client is in the store, and that a rival gets in, without waiting
   * for a lease.
   */
  void assertNothingIsLeft() throws Exception {
    for (int i = 0; i < STEPS && !engine.lines().isEmpty(); i++) {
      world.advanceMillis(50);
      for (int j = 0; j < LOOKS_A_STEP && !engine.lines().isEmpty(); j++) {
        LockSupport.parkNanos(200_000);
      }
    }
    assertThat(engine.tickets(NAME)).isEmpty();
    assertThat(client.renewals().size()).isZero();
    assertThat(client.waiting()).isEmpty();
    Await.until("the local line is gone", () -> client.localLines().size() == 0);
    Hold next = rivalsDoor().acquire(Duration.ofSeconds(5));
    assertThat(next.isHeld()).isTrue();
    assertThat(next.release()).isEqualTo(Outcome.RELEASED);
  }
}
