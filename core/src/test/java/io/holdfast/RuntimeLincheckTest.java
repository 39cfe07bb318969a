package io.holdfast;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.runtime.acquire.AcquireRequest;
import io.holdfast.runtime.acquire.StoreReplies;
import io.holdfast.runtime.acquire.Waiter;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.client.ClientView;
import io.holdfast.runtime.client.LockName;
import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.runtime.hold.HoldState;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Order;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * The concurrent parts of the runtime under a model checker, which tries the interleavings one by
 * one. In one class, because its agent takes its time to start.
 *
 * <p>The lane is not here: its crew waits on a condition on a thread of its own, which this checker
 * cannot drive. {@code LaneStressTest} does the same with real threads and seeds.
 */
public class RuntimeLincheckTest {

  private static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .iterations(3)
        .invocationsPerIteration(150)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(0)
        .actorsAfter(0)
        .minimizeFailedScenario(false);
  }

  /**
   * Checks {@code subject}. The search keeps a tree of interleavings, and loses its way in it now
   * and then, when a run took another path than the run before: its {@code chooseUnexploredNode}
   * then throws. That is no verdict on the subject, so the search starts again with a new tree.
   */
  private static void check(ModelCheckingOptions options, Class<?> subject) {
    for (int left = 4; ; left--) {
      try {
        options.check(subject);
        return;
      } catch (NoSuchElementException e) {
        if (left == 0 || !isOfTheSearch(e)) {
          throw e;
        }
        System.out.println("the search in " + subject.getSimpleName() + " starts again: " + e);
      }
    }
  }

  private static boolean isOfTheSearch(NoSuchElementException e) {
    StackTraceElement[] trace = e.getStackTrace();
    return trace.length > 0 && trace[0].getMethodName().equals("chooseUnexploredNode");
  }

  static Client client(MemoryEngine engine) {
    return Client.open(
        engine, HoldfastOptions.DEFAULTS.withTraceAcquires(false), new FrozenWorld());
  }

  static MemoryEngine engine() {
    return MemoryEngine.create(() -> 0, () -> 64_000_000L);
  }

  /** Offers and giving up: exactly one of them wins. */
  public static class WaiterSubject {
    private final Waiter waiter;

    public WaiterSubject() {
      ClientView view = client(engine()).view(HoldfastOptions.DEFAULTS);
      LockName name = LockName.plain("a");
      waiter =
          Waiter.blocking(
              new AcquireRequest(view, name, view.resource(name), AcquireRequest.Caller.BLOCKING),
              1,
              false);
    }

    @Operation
    public boolean offer() {
      return waiter.offer(new Waiter.Result.Busy(StoreReplies.NONE));
    }

    @Operation
    public boolean giveUp() {
      return waiter.giveUp();
    }

    @Operation
    public boolean isDecided() {
      return waiter.isDecided();
    }
  }

  /** What a waiter must behave like. */
  public static class WaiterModel {
    private boolean decided;

    public boolean offer() {
      boolean won = !decided;
      decided = true;
      return won;
    }

    public boolean giveUp() {
      return offer();
    }

    public boolean isDecided() {
      return decided;
    }
  }

  @Test
  void aWaiterGetsOneResultHoweverManyAreOffered() {
    check(options().sequentialSpecification(WaiterModel.class), WaiterSubject.class);
  }

  /** Completing a verb from all sides. */
  public static class VerbSubject {
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger completions = new AtomicInteger();
    private final Verb.Renew verb;

    public VerbSubject() {
      Ticket ticket = Tickets.of("a");
      verb =
          new Verb.Renew(
              ticket,
              new Verb.Answer<>() {
                @Override
                public void answered(Renewal answer) {
                  answers.incrementAndGet();
                }

                @Override
                public void failed(EngineException failure) {
                  answers.incrementAndGet();
                }
              });
    }

    @Operation
    public void complete() {
      completions.incrementAndGet();
      verb.complete(new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, ""));
    }

    @Operation
    public void fail() {
      completions.incrementAndGet();
      verb.fail(new EngineException.Unknown("late", null));
    }

    @Validate
    public void atMostOneReply() {
      int expected = completions.get() == 0 ? 0 : 1;
      if (answers.get() != expected) {
        throw new IllegalStateException("answers: " + answers.get());
      }
    }
  }

  @Test
  void aVerbGetsOneReplyHoweverOftenItIsCompleted() {
    check(options(), VerbSubject.class);
  }

  /** A hold that is released and lost at the same time. */
  public static class TenureSubject {
    private final HoldState holdState;

    public TenureSubject() throws InterruptedException {
      Client client = client(engine());
      ClientView view = client.view(client.options());
      Optional<Hold> taken =
          view.lock(LockName.plain("a"), Shape.mutex(Order.FIFO), 1).tryAcquire();
      holdState = ((HoldHandle) taken.orElseThrow()).holdState();
    }

    @Operation
    public Outcome release() {
      Outcome[] outcome = new Outcome[1];
      holdState.release(answer -> outcome[0] = answer);
      return outcome[0];
    }

    @Operation
    public boolean lose() {
      return holdState.lose(Loss.Cause.TAKEN, "the store said so");
    }

    @Operation
    public boolean endQuietly() {
      return holdState.endQuietly();
    }

    @Operation
    public boolean isHeld() {
      return holdState.isHeld();
    }
  }

  /** What a hold must behave like. */
  public static class TenureModel {
    private Outcome next = Outcome.RELEASED;

    public Outcome release() {
      Outcome outcome = next;
      if (next == Outcome.RELEASED) {
        next = Outcome.ALREADY_RELEASED;
      }
      return outcome;
    }

    public boolean lose() {
      boolean held = isHeld();
      next = held ? Outcome.LOST : next;
      return held;
    }

    public boolean endQuietly() {
      boolean held = isHeld();
      next = held ? Outcome.ALREADY_RELEASED : next;
      return held;
    }

    public boolean isHeld() {
      return next == Outcome.RELEASED;
    }
  }

  @Test
  void aHoldIsReleasedOrLostAndNeverBoth() {
    check(options().sequentialSpecification(TenureModel.class), TenureSubject.class);
  }

  /** The threads of one client on one mutex: a fenced mutex that only tries. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  public static class MutexSubject {
    private final Client client = client(engine());
    private final Hold[] held = new Hold[8];
    private long last;

    @Operation
    public boolean tryAcquire(@Param(name = "thread") int thread) throws InterruptedException {
      DistributedLock lock =
          client.view(client.options()).lock(LockName.plain("a"), Shape.mutex(Order.ANY), 1);
      Optional<Hold> got = lock.tryAcquire();
      if (got.isEmpty()) {
        return false;
      }
      if (got.get().token() <= last) {
        throw new IllegalStateException("token " + got.get().token() + " after " + last);
      }
      last = got.get().token();
      held[thread] = got.get();
      return true;
    }

    @Operation
    public boolean release(@Param(name = "thread") int thread) {
      Hold mine = held[thread];
      return mine != null && mine.release() == Outcome.RELEASED;
    }
  }

  /** What a mutex that only tries must behave like. */
  public static class MutexModel {
    private int owner = -1;

    public boolean tryAcquire(int thread) {
      boolean free = owner < 0;
      owner = free ? thread : owner;
      return free;
    }

    public boolean release(int thread) {
      boolean mine = owner == thread;
      owner = mine ? -1 : owner;
      return mine;
    }
  }

  /**
   * Under stress and not model checking: for that, the checker gives objects other hash codes, and
   * sets of enums that were made before do not know their own elements any more.
   */
  @Test
  void aTrySucceedsIfAndOnlyIfItIsFreeAndTokensRise() {
    new StressOptions()
        .iterations(10)
        .invocationsPerIteration(2_000)
        .threads(3)
        .actorsPerThread(4)
        .actorsBefore(0)
        .actorsAfter(0)
        .minimizeFailedScenario(false)
        .sequentialSpecification(MutexModel.class)
        .check(MutexSubject.class);
  }

  @Test
  void anAcquireThatIsWokenAndCancelledLeavesNothing() {
    check(options().actorsPerThread(2), AcquisitionSubject.class);
  }
}
