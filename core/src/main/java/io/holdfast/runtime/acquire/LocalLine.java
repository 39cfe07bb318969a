package io.holdfast.runtime.acquire;

import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.hold.HoldHandle;
import io.holdfast.runtime.hold.HoldState;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The local threads of one client that want the same mutex in order ANY.
 *
 * <p>They share one claim in the store. It belongs to this line, which alone sends verbs for it and
 * hands it over from one hold to the next.
 */
public final class LocalLine implements WaitQueue, ReleaseRoute, Acquisition.Goal {

  /*
   * Exclusion within the client: a hold begins only in JOINING -> TAKEN, FREE -> TAKEN or TAKEN ->
   * TAKEN by hand-over, all under the lock, and the previous hold has left HELD by then. Towards
   * other clients: see Belief and HandOverPolicy.
   *
   * FREE means: the claim is ours, no thread holds it, and a thread waits. A running thread may
   * take it before the nudged sleeper has woken, which is what makes a hot mutex fast. After a turn
   * of a millisecond the release goes straight to the longest waiter, so no thread waits longer
   * than one turn for each waiter before it.
   *
   * Other clients get their share: a client that is wanted yields at the end of its slice. The
   * slice begins when the client gets in after others, and continues over leaves and returns, so
   * that a lone thread in a tight loop is treated like many threads. Where the store keeps the turn
   * of others, leaving is enough. Where it does not, the line stays out for a while (STAYING_OUT)
   * and remembers its slice between a leave and the next request (LINGERING).
   *
   * No wake is lost: a waiter joins the queue under the lock, is nudged under it and notified after
   * it; a waiter that gives up passes its nudge on. Nothing stays behind: a line without waiters
   * and holder leaves the store, dies and leaves the map; a caller that met a dead line asks for a
   * new one. Waiters leave the queue in three ways, and each checks whether it was the last:
   * withdraw() when a waiter gives up, waiting() and busy() when waiters that only try are turned
   * away.
   */

  private enum Phase {
    NEW,
    JOINING,
    FREE,
    TAKEN,
    LEAVING,
    LINGERING,
    STAYING_OUT,
    DEAD
  }

  private static final Standing.Waiting OTHERS_WAIT =
      new Standing.Waiting(1, Duration.ZERO, Optional.empty());

  private final Client client;
  private final LocalLines.Key key;
  private final Transitions steps = new Transitions();
  private final LocalQueue queue = new LocalQueue();
  private final TimeSlice slice = new TimeSlice();

  private Phase phase = Phase.NEW;
  private @Nullable Acquisition acquisition;
  private @Nullable Claim claim;
  private int handOvers;
  private @Nullable Runnable returning;

  LocalLine(Client client, LocalLines.Key key) {
    this.client = client;
    this.key = key;
  }

  /** Grants the claim to the waiter or queues it; returns false when the line is dead. */
  boolean join(Waiter waiter) {
    Optional<Runnable> then =
        steps.underLock(
            () ->
                phase == Phase.DEAD
                    ? Optional.empty()
                    : Optional.of(client.isDraining() ? turnAway(waiter) : joinLocked(waiter)));
    then.ifPresent(Runnable::run);
    return then.isPresent();
  }

  /** The client was drained or closed after it had admitted the waiter. */
  private Runnable turnAway(Waiter waiter) {
    if (phase == Phase.NEW) {
      die();
    }
    return () -> waiter.offer(WaitOutcome.closed(waiter.request()));
  }

  private Runnable joinLocked(Waiter waiter) {
    if (phase == Phase.FREE && claim != null && mayHandOver(claim, client.world().nanoTime())) {
      give(claim, waiter, handOvers + 1);
      return waiter::tell;
    }
    StoreReplies replies = waiter.tryOnly() ? replies() : StoreReplies.NONE;
    if (replies.saysBusy()) {
      waiter.offer(new Waiter.Result.Busy(replies));
      return Client.NOTHING;
    }
    queue.add(waiter);
    if (phase == Phase.LINGERING) {
      stopReturning();
      return begin(waiter);
    }
    return phase == Phase.NEW ? begin(waiter) : Client.NOTHING;
  }

  /** Starts an acquisition for the waiter at the head. Called under the lock. */
  private Runnable begin(Waiter head) {
    phase = Phase.JOINING;
    handOvers = 0;
    claim = null;
    Claim asked = client.claim(key, head.request(), /* waits= */ !head.tryOnly());
    Acquisition started = new Acquisition(client, asked, this);
    acquisition = started;
    return started::start;
  }

  private Runnable beginOrDie() {
    Waiter head = queue.firstWaiting();
    if (head != null) {
      return begin(head);
    }
    die();
    return Client.NOTHING;
  }

  private void die() {
    phase = Phase.DEAD;
    claim = null;
    acquisition = null;
    client.localLines().remove(key, this);
  }

  @Override
  public void granted(Claim granted) {
    steps.take(() -> begunBy(granted) ? start(granted) : () -> client.leaver().takeOver(granted));
  }

  private boolean begunBy(Claim granted) {
    return acquisition != null && acquisition.claim() == granted;
  }

  private Runnable start(Claim granted) {
    slice.granted(granted.confirmedAt(), replies().busy() != null);
    acquisition = null;
    claim = granted;
    client.renewals().add(granted);
    return giveToNext(granted, 0, outcome -> {});
  }

  /** Gives the claim to the first live waiter, or leaves. Called under the lock. */
  private Runnable giveToNext(Claim given, int times, Consumer<Outcome> done) {
    for (Waiter next = queue.poll(); next != null; next = queue.poll()) {
      if (give(given, next, times)) {
        turnTryersAway();
        return next.telling(done);
      }
    }
    return leave(given, done);
  }

  private boolean give(Claim given, Waiter waiter, int times) {
    HoldHandle hold = HoldState.begin(given, this, waiter.request(), times);
    if (!waiter.give(new Waiter.Result.Got(hold))) {
      return false;
    }
    handOvers = times;
    phase = Phase.TAKEN;
    return true;
  }

  private void turnTryersAway() {
    if (!queue.isEmpty()) {
      queue.turnTryersAway(replies());
    }
  }

  @Override
  public void waiting() {
    steps.take(
        () -> {
          turnTryersAway();
          return queue.isEmpty() ? stopAsking(replies -> {}) : Client.NOTHING;
        });
  }

  /**
   * Ends the acquisition if no thread waits for it. Called under the lock.
   *
   * @param last receives the last reply of the store
   */
  private Runnable stopAsking(Consumer<StoreReplies> last) {
    Acquisition ended = acquisition;
    if (ended == null) {
      return Client.NOTHING;
    }
    die();
    return () -> last.accept(ended.cancel());
  }

  @Override
  public void busy() {
    steps.take(
        () -> {
          turnTryersAway();
          return phase == Phase.JOINING ? beginOrDie() : Client.NOTHING;
        });
  }

  @Override
  public void done(Standing.Done done) {
    refused(new EngineException.Refused("the engine returned Done for a mutex, which has no mark"));
  }

  @Override
  public void refused(EngineException refusal) {
    failAll(waiter -> WaitOutcome.refused(waiter.request(), refusal));
  }

  /** Ends all waits, but no hold. */
  void close() {
    failAll(waiter -> WaitOutcome.closed(waiter.request()));
  }

  private void failAll(Function<Waiter, Waiter.Result> result) {
    steps.take(
        () -> {
          List<Waiter> failed = queue.drain();
          Acquisition ended = acquisition;
          Runnable then = Client.NOTHING;
          if (phase == Phase.FREE && claim != null) {
            // The waiters for whom it was kept are gone.
            then = leave(claim, outcome -> {});
          } else if (phase != Phase.TAKEN && phase != Phase.LEAVING) {
            stopReturning();
            die();
          }
          Runnable next = then;
          return () -> {
            next.run();
            if (ended != null) {
              ended.cancel();
            }
            failed.forEach(waiter -> waiter.offer(result.apply(waiter)));
          };
        });
  }

  @Override
  public void release(HoldState holdState, Consumer<Outcome> done) {
    steps.take(() -> giveUp(holdState.claim(), done));
  }

  private Runnable giveUp(Claim held, Consumer<Outcome> done) {
    if (held != claim) {
      return () -> done.accept(Outcome.LOST);
    }
    if (queue.isEmpty()) {
      return leave(held, done);
    }
    long now = client.world().nanoTime();
    return mayHandOver(held, now) ? passOn(held, now, done) : leave(held, done);
  }

  /** The waiters stay: they ask the store, which reports busy until the time has passed. */
  @Override
  public void keep(HoldState holdState, Duration keepFor, Consumer<Outcome> done) {
    Claim held = holdState.claim();
    steps.take(
        () -> {
          if (held != claim) {
            return () -> done.accept(Outcome.LOST);
          }
          phase = Phase.LEAVING;
          return new FirstSettle(client, held, keepFor, outcome -> left(held, outcome, done))::send;
        });
  }

  private boolean mayHandOver(Claim held, long now) {
    HandOverPolicy rule = client.handOver();
    return rule.allows(held, handOvers, now) && !rule.yields(held, slice.hadFor(now));
  }

  private Runnable passOn(Claim held, long now, Consumer<Outcome> done) {
    boolean ask = slice.asks(now, client.handOver().slice());
    Runnable then;
    Waiter head = queue.head();
    if (head == null || slice.turnIsOver(now) || head.isAsync()) {
      slice.nextTurn(now);
      then = giveToNext(held, handOvers + 1, done);
    } else {
      phase = Phase.FREE;
      then = head.nudge().telling(done);
    }
    return ask ? () -> askThen(held, then) : then;
  }

  /**
   * A hand-over shows nothing of other clients; once a slice the store is asked whether they wait.
   */
  private void askThen(Claim held, Runnable then) {
    then.run();
    client.renewals().renewNow(held);
  }

  @Override
  public void retry(Waiter waiter) {
    steps.take(
        () -> phase == Phase.FREE && claim != null ? takeFree(claim, waiter) : Client.NOTHING);
  }

  private Runnable takeFree(Claim free, Waiter waiter) {
    long now = client.world().nanoTime();
    if (!mayHandOver(free, now)) {
      return leave(free, outcome -> {});
    }
    slice.nextTurn(now);
    queue.remove(waiter);
    give(free, waiter, handOvers + 1);
    return waiter::tell;
  }

  /**
   * Ends the claim in the store; remaining waiters join again afterwards. Called under the lock.
   */
  private Runnable leave(Claim held, Consumer<Outcome> done) {
    phase = Phase.LEAVING;
    return () -> held.leave(new FirstLeave(client, held, outcome -> left(held, outcome, done)));
  }

  private void left(Claim held, Outcome outcome, Consumer<Outcome> done) {
    steps.take(
        () -> {
          claim = null;
          boolean giveWay = held.wanted() && client.handOver().stayOut() > 0;
          Runnable next = giveWay ? giveWay(held) : beginOrDie();
          return () -> {
            done.accept(outcome);
            next.run();
          };
        });
  }

  /** Other clients wait, and the store does not keep their turn. Called under the lock. */
  private Runnable giveWay(Claim held) {
    HandOverPolicy rule = client.handOver();
    boolean sliceOver = rule.yields(held, slice.hadFor(client.world().nanoTime()));
    if (!sliceOver && !queue.isEmpty()) {
      return beginOrDie();
    }
    phase = sliceOver ? Phase.STAYING_OUT : Phase.LINGERING;
    returning = client.world().schedule(rule.stayOut(), this::comeBack);
    return Client.NOTHING;
  }

  private void comeBack() {
    steps.take(
        () -> {
          if (phase != Phase.STAYING_OUT && phase != Phase.LINGERING) {
            return Client.NOTHING;
          }
          slice.close();
          return beginOrDie();
        });
  }

  private void stopReturning() {
    if (returning != null) {
      returning.run();
      returning = null;
    }
  }

  @Override
  public StoreReplies withdraw(Waiter waiter) {
    StoreReplies[] last = {StoreReplies.NONE};
    steps.take(
        () -> {
          last[0] = replies();
          return queue.remove(waiter) ? goOnWithout(last) : Client.NOTHING;
        });
    return last[0];
  }

  /** A waiter is gone: passes its nudge on, or leaves if it was the last. */
  private Runnable goOnWithout(StoreReplies[] last) {
    Waiter next = queue.head();
    if (phase == Phase.FREE && claim != null) {
      if (next != null && !next.isAsync()) {
        return next.nudge()::tell;
      }
      boolean passOn = next != null && mayHandOver(claim, client.world().nanoTime());
      return passOn ? giveToNext(claim, handOvers + 1, outcome -> {}) : leave(claim, outcome -> {});
    }
    return next == null ? stopAsking(replies -> last[0] = replies) : Client.NOTHING;
  }

  @Override
  public void lost(Claim over, Loss.Cause cause, String reason) {
    if (over.end()) {
      client.leaver().whileOpen(() -> ended(over, cause, reason));
    }
  }

  private void ended(Claim over, Loss.Cause cause, String reason) {
    client.renewals().remove(over);
    steps.take(
        () -> {
          boolean ours = over == claim && (phase == Phase.TAKEN || phase == Phase.FREE);
          Runnable next = ours ? beginOrDie() : Client.NOTHING;
          return () -> {
            // The other waiters continue first, whatever becomes of the callback. The claim stays
            // in the store, if it has not ended there, until its holder was notified: tellLoss
            // removes it.
            try {
              next.run();
            } finally {
              client.tellLoss(over, cause, reason);
            }
          };
        });
  }

  /** Returns the number of waiters. */
  int waitingHere() {
    return steps.underLock(queue::size);
  }

  /** Returns what is known of the store at this moment. Called under the lock. */
  private StoreReplies replies() {
    if (acquisition != null) {
      return acquisition.replies();
    }
    return switch (phase) {
      case FREE, TAKEN ->
          claim == null
              ? StoreReplies.NONE
              : StoreReplies.NONE.asked().busy(client.heldHere(claim));
      case STAYING_OUT -> StoreReplies.NONE.asked().busy(OTHERS_WAIT);
      default -> StoreReplies.NONE;
    };
  }
}
