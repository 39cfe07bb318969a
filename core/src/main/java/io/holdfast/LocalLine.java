package io.holdfast;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one client that want the same mutex in order ANY. One claim of theirs stands in
 * the store; it belongs to this line, which alone sends verbs for it and hands it from one hold to
 * the next.
 */
final class LocalLine implements Place, Exit, Acquisition.Goal {

  /*
   * Exclusion within the client: a hold begins only in JOINING -> TAKEN, FREE -> TAKEN or TAKEN ->
   * TAKEN by hand-over, all under the lock, and the one before has left HELD by then. Towards other
   * clients: see Belief and HandOver.
   *
   * FREE means: the claim is ours, nobody holds it, and somebody waits. A running thread may take
   * it before the nudged sleeper has woken (that is what makes a hot mutex fast); after a turn of a
   * millisecond the release goes straight to the longest waiter, so nobody waits longer than one
   * turn for each waiter before it.
   *
   * Others get their share: a client that is wanted gives way at the end of its slice, which begins
   * when it gets in after others and goes on over leaves and returns, so that a lone thread in a
   * tight loop is no different from many. Where the store keeps the turn of others, leaving is
   * enough; where it does not, the line stays out for a while (STAYING_OUT), and remembers its slice
   * between a leave and the next request (LINGERING).
   *
   * No wake is lost: a waiter joins the queue under the lock, is nudged under it and told after it;
   * one that gives up passes its nudge on. Nothing stays behind: a line without waiters and holder
   * leaves the store, dies and leaves the map; whoever met a dead line asks for a new one. Waiters
   * leave the queue in three ways, and each of them looks whether it was the last: withdraw() when
   * one gives up, waiting() and busy() when those that only try are turned away.
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
  private final Steps steps = new Steps();
  private final LocalQueue queue = new LocalQueue();
  private final Slice slice = new Slice();

  private Phase phase = Phase.NEW;
  private @Nullable Acquisition acquisition;
  private @Nullable Claim claim;
  private int handOvers;
  private @Nullable Runnable returning;

  LocalLine(Client client, LocalLines.Key key) {
    this.client = client;
    this.key = key;
  }

  /** Lets a waiter in or in line; answers false when the line is dead. */
  boolean join(Waiter waiter) {
    Optional<Runnable> then =
        steps.look(
            () ->
                phase == Phase.DEAD
                    ? Optional.empty()
                    : Optional.of(client.isClosing() ? turnAway(waiter) : joinLocked(waiter)));
    then.ifPresent(Runnable::run);
    return then.isPresent();
  }

  /** The client was closed after it had let the waiter through its door. */
  private Runnable turnAway(Waiter waiter) {
    if (phase == Phase.NEW) {
      die();
    }
    return () -> waiter.offer(Verdict.closed(waiter.request()));
  }

  private Runnable joinLocked(Waiter waiter) {
    if (phase == Phase.FREE && claim != null && mayHandOver(claim, client.world().nanoTime())) {
      give(claim, waiter, handOvers + 1);
      return waiter::tell;
    }
    Word word = waiter.tryOnly() ? word() : Word.NONE;
    if (word.saysBusy()) {
      waiter.offer(new Waiter.Result.Busy(word));
      return Client.NOTHING;
    }
    queue.add(waiter);
    if (phase == Phase.LINGERING) {
      stopReturning();
      return begin(waiter);
    }
    return phase == Phase.NEW ? begin(waiter) : Client.NOTHING;
  }

  /** Starts asking the store, for the waiter at the head. Called under the lock. */
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
    slice.granted(granted.confirmedAt(), word().busy() != null);
    acquisition = null;
    claim = granted;
    client.renewals().add(granted);
    return giveToNext(granted, 0, outcome -> {});
  }

  /** Gives the claim to the first that still waits, or leaves. Called under the lock. */
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
    HeldLock hold = Tenure.begin(given, this, waiter.request(), times);
    if (!waiter.give(new Waiter.Result.Got(hold))) {
      return false;
    }
    handOvers = times;
    phase = Phase.TAKEN;
    return true;
  }

  private void turnTryersAway() {
    if (!queue.isEmpty()) {
      queue.turnTryersAway(word());
    }
  }

  @Override
  public void waiting() {
    steps.take(
        () -> {
          turnTryersAway();
          return queue.isEmpty() ? stopAsking(word -> {}) : Client.NOTHING;
        });
  }

  /**
   * Ends the asking for a claim that nobody waits for, if there is one. Called under the lock.
   *
   * @param last gets the last word of the store
   */
  private Runnable stopAsking(Consumer<Word> last) {
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
    refused(new EngineException.Refused("the engine said done to a mutex, which has no mark"));
  }

  @Override
  public void refused(EngineException refusal) {
    failAll(waiter -> Verdict.refused(waiter.request(), refusal));
  }

  /** Ends all waiting; holds are ended by whoever closes. */
  void close() {
    failAll(waiter -> Verdict.closed(waiter.request()));
  }

  private void failAll(Function<Waiter, Waiter.Result> result) {
    steps.take(
        () -> {
          List<Waiter> failed = queue.drain();
          Acquisition ended = acquisition;
          if (phase != Phase.FREE && phase != Phase.TAKEN && phase != Phase.LEAVING) {
            stopReturning();
            die();
          }
          return () -> {
            if (ended != null) {
              ended.cancel();
            }
            failed.forEach(waiter -> waiter.offer(result.apply(waiter)));
          };
        });
  }

  @Override
  public void release(Tenure tenure, Consumer<Outcome> done) {
    steps.take(() -> giveUp(tenure.claim(), done));
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

  private boolean mayHandOver(Claim held, long now) {
    HandOver rule = client.handOver();
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

  /** A hand-over says nothing about others; once a slice the store is asked whether they wait. */
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

  /** Ends the claim in the store; those who wait ask anew afterwards. Called under the lock. */
  private Runnable leave(Claim held, Consumer<Outcome> done) {
    phase = Phase.LEAVING;
    return () -> {
      client.renewals().remove(held);
      held.leave(new Leaving(client, held, outcome -> left(held, outcome, done)));
    };
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

  /** Others wait, and the store does not keep their turn. Called under the lock. */
  private Runnable giveWay(Claim held) {
    HandOver rule = client.handOver();
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
  public Word withdraw(Waiter waiter) {
    Word[] last = {Word.NONE};
    steps.take(
        () -> {
          last[0] = word();
          return queue.remove(waiter) ? goOnWithout(last) : Client.NOTHING;
        });
    return last[0];
  }

  /** A waiter has gone: passes its nudge on, or leaves if it was the last. */
  private Runnable goOnWithout(Word[] last) {
    Waiter next = queue.head();
    if (phase == Phase.FREE && claim != null) {
      if (next != null && !next.isAsync()) {
        return next.nudge()::tell;
      }
      boolean passOn = next != null && mayHandOver(claim, client.world().nanoTime());
      return passOn ? giveToNext(claim, handOvers + 1, outcome -> {}) : leave(claim, outcome -> {});
    }
    return next == null ? stopAsking(word -> last[0] = word) : Client.NOTHING;
  }

  @Override
  public void lost(Claim over, Loss.Cause cause, String reason) {
    if (!over.end()) {
      return;
    }
    client.renewals().remove(over);
    steps.take(
        () -> {
          boolean ours = over == claim && (phase == Phase.TAKEN || phase == Phase.FREE);
          Runnable next = ours ? beginOrDie() : Client.NOTHING;
          return () -> {
            // The others go on first, whatever becomes of the telling. The claim is still in the
            // store, if it has not ended there, until its holder was told: tellLoss sees it out.
            try {
              next.run();
            } finally {
              client.tellLoss(over, cause, reason);
            }
          };
        });
  }

  /** How many wait here. */
  int waitingHere() {
    return steps.look(queue::size);
  }

  /** What is known of the store at this moment. Called under the lock. */
  private Word word() {
    if (acquisition != null) {
      return acquisition.word();
    }
    return switch (phase) {
      case FREE, TAKEN ->
          claim == null ? Word.NONE : Word.NONE.asked().busy(client.heldHere(claim));
      case STAYING_OUT -> Word.NONE.asked().busy(OTHERS_WAIT);
      default -> Word.NONE;
    };
  }
}
