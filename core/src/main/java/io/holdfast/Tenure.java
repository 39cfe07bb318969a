package io.holdfast;

import io.holdfast.spi.EngineException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The life of one hold, apart from its handle, so that the handle can become unreachable.
 *
 * <p>HELD, then lost or RELEASED for good; RELEASING is the time until the store has answered. Who
 * wins the compare-and-set from HELD decides which.
 */
final class Tenure {

  private enum Mark {
    HELD,
    RELEASING,
    RELEASED
  }

  private final Client client;
  private final Claim claim;
  private final Exit exit;
  private final Request request;
  private final long number;
  private final int handOvers;
  private final long token;
  private final long since;

  /** A {@link Mark}, or the {@link Loss} that ended it. */
  private final AtomicReference<Object> state = new AtomicReference<>(Mark.HELD);

  private final List<Consumer<Loss>> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable WeakReference<HeldLock> handle;
  private volatile @Nullable Runnable maxHold;
  private final AtomicReference<@Nullable Runnable> whenOver = new AtomicReference<>();

  private Tenure(Claim claim, Exit exit, Request request, int handOvers, long number) {
    this.client = request.client();
    this.claim = claim;
    this.exit = exit;
    this.request = request;
    this.token = client.handOver().token(claim.token(), handOvers);
    this.number = number;
    this.handOvers = handOvers;
    this.since = handOvers == 0 ? claim.confirmedAt() : client.world().nanoTime();
  }

  /**
   * Begins a hold for a request. Only its waiter gets the handle: nothing else may keep it alive.
   */
  static HeldLock begin(Claim claim, Exit exit, Request request, int handOvers) {
    long number = request.client().nextHoldNumber();
    return handle(new Tenure(claim, exit, request, handOvers, number));
  }

  private static HeldLock handle(Tenure tenure) {
    HeldLock handle = new HeldLock(tenure);
    tenure.handle = new WeakReference<>(handle);
    tenure.claim.heldBy(tenure);
    return handle;
  }

  /** The caller is about to get the handle: what counts from the beginning of a hold begins. */
  void begin() {
    View view = request.view();
    view.options()
        .maxHold()
        .ifPresent(most -> maxHold = client.world().schedule(most.toNanos(), this::tooLong));
    view.tell(
        () ->
            new HoldfastListener.Acquired(
                tag(), Duration.ofNanos(since - request.startedAt()), handOvers > 0));
  }

  private void tooLong() {
    // Lost first: the claim may be another hold's by now, which must not be hit.
    String reason = "held longer than maxHold";
    if (lose(Loss.Cause.MAX_HOLD, reason)) {
      client.log(System.Logger.Level.WARNING, reason + ": " + name() + request.place());
      exit.lost(claim, Loss.Cause.MAX_HOLD, reason);
    }
  }

  Claim claim() {
    return claim;
  }

  Exit exit() {
    return exit;
  }

  long token() {
    return token;
  }

  String name() {
    return request.name().text();
  }

  private String tag() {
    return request.name().tag();
  }

  String id() {
    return client.holdId(number);
  }

  View view() {
    return request.view();
  }

  Request request() {
    return request;
  }

  boolean isHeld() {
    if (state.get() != Mark.HELD) {
      return false;
    }
    boolean believes = claim.believes();
    if (!believes && claim.isSuspect()) {
      client.renewals().soon(claim);
    }
    return believes;
  }

  boolean isOver() {
    return state.get() != Mark.HELD;
  }

  @Nullable Loss loss() {
    return state.get() instanceof Loss loss ? loss : null;
  }

  /** Whether nobody can release it any more. */
  boolean isAbandoned() {
    WeakReference<HeldLock> ref = handle;
    boolean unreachable = ref != null && ref.get() == null;
    return unreachable || request.isOwnerDead();
  }

  /** Where it was acquired, as far as that was remembered. */
  String place() {
    return request.place();
  }

  /** Calls back once if it is or will be lost. */
  void onLoss(Consumer<Loss> callback) {
    listeners.add(callback);
    Loss loss = loss();
    if (loss != null && listeners.remove(callback)) {
      client.call(() -> callback.accept(loss));
    }
  }

  void renewalFailed(EngineException failure) {
    String why = String.valueOf(failure.getMessage());
    view().tell(() -> new HoldfastListener.RenewalFailed(tag(), why));
  }

  /** Ends it as lost; answers false when it was over. */
  boolean lose(Loss.Cause cause, String reason) {
    return lose(Mark.HELD, cause, reason);
  }

  private boolean lose(Mark from, Loss.Cause cause, String reason) {
    Loss loss =
        new Loss(cause, name(), token, reason + ", name " + name() + " at " + client.store());
    if (!state.compareAndSet(from, loss)) {
      return false;
    }
    for (Consumer<Loss> callback : List.copyOf(listeners)) {
      if (listeners.remove(callback)) {
        client.call(() -> callback.accept(loss));
      }
    }
    over();
    view().tell(() -> new HoldfastListener.Lost(tag(), cause, heldFor()));
    return true;
  }

  /** Does what the timer is about to do, when the deadline has passed. */
  void loseIfExpired() {
    if (state.get() == Mark.HELD && claim.deadline() - client.world().nanoTime() <= 0) {
      String reason = claim.whyExpired();
      exit.lost(claim, Loss.Cause.EXPIRED, reason);
      // Another may be about to tell it; whoever asks now must not be told otherwise.
      lose(Loss.Cause.EXPIRED, reason);
    }
  }

  /**
   * Ends this hold and begins another on the same claim, without a word to the store.
   *
   * @throws LockLostException when it was lost
   */
  HeldLock succeed() {
    if (!endQuietly()) {
      Loss loss = loss();
      if (loss != null) {
        throw new LockLostException(loss);
      }
      throw new IllegalStateException("hold was released: " + name());
    }
    // The same grant under the same id, so that a guard knows it again.
    HeldLock successor = handle(new Tenure(claim, exit, request, 0, number));
    successor.tenure().begin();
    return successor;
  }

  /** Ends it as released; answers false when it was over. */
  boolean endQuietly() {
    boolean ended = state.compareAndSet(Mark.HELD, Mark.RELEASED);
    if (ended) {
      over();
      view().tell(() -> new HoldfastListener.Released(tag(), Outcome.RELEASED, heldFor()));
    }
    return ended;
  }

  /**
   * Gives it back.
   *
   * @param done gets the outcome, on any thread, possibly before this returns
   */
  void release(Consumer<Outcome> done) {
    loseIfExpired();
    if (!state.compareAndSet(Mark.HELD, Mark.RELEASING)) {
      Loss loss = loss();
      boolean lost = loss != null && loss.cause() != Loss.Cause.CLOSED;
      done.accept(lost ? Outcome.LOST : Outcome.ALREADY_RELEASED);
      return;
    }
    over();
    exit.release(this, outcome -> released(outcome, done));
  }

  private void released(Outcome outcome, Consumer<Outcome> done) {
    if (outcome == Outcome.LOST) {
      lose(Mark.RELEASING, Loss.Cause.TAKEN, "the store did not know the claim any more");
    } else {
      state.compareAndSet(Mark.RELEASING, Mark.RELEASED);
      view().tell(() -> new HoldfastListener.Released(tag(), outcome, heldFor()));
    }
    done.accept(outcome);
  }

  private Duration heldFor() {
    return Duration.ofNanos(client.world().nanoTime() - since);
  }

  private void over() {
    Runnable timer = maxHold;
    if (timer != null) {
      timer.run();
    }
    tellOver();
  }

  /** Calls back once when it is over, released or lost; at once if it is. */
  void onOver(Runnable callback) {
    whenOver.set(callback);
    if (isOver()) {
      tellOver();
    }
  }

  private void tellOver() {
    Runnable callback = whenOver.get() == null ? null : whenOver.getAndSet(null);
    if (callback != null) {
      client.call(callback);
    }
  }
}
