package io.holdfast.runtime.hold;

import io.holdfast.HoldfastListener;
import io.holdfast.Kind;
import io.holdfast.LockLostException;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.runtime.acquire.AcquireRequest;
import io.holdfast.runtime.acquire.Claim;
import io.holdfast.runtime.acquire.ReleaseRoute;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.client.ClientView;
import io.holdfast.spi.EngineException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one hold, separate from its handle, which can become unreachable.
 *
 * <p>A hold is HELD, then lost or RELEASED for good; RELEASING lasts until the store has replied.
 * The compare-and-set from HELD decides which.
 */
public final class HoldState {

  private enum Mark {
    HELD,
    RELEASING,
    RELEASED
  }

  private final Client client;
  private final Claim claim;
  private final ReleaseRoute route;
  private final AcquireRequest request;
  private final Kind kind;
  private final long number;
  private final int handOvers;
  private final long token;
  private final long since;

  /** A {@link Mark}, or the {@link Loss} that ended the hold. */
  private final AtomicReference<Object> state = new AtomicReference<>(Mark.HELD);

  private final List<Consumer<Loss>> listeners = new CopyOnWriteArrayList<>();
  private volatile @Nullable WeakReference<HoldHandle> handle;
  private volatile @Nullable Runnable maxHold;
  private final AtomicReference<@Nullable Runnable> whenOver = new AtomicReference<>();

  private HoldState(
      Claim claim,
      ReleaseRoute route,
      AcquireRequest request,
      Kind kind,
      int handOvers,
      long number) {
    this.client = request.client();
    this.claim = claim;
    this.route = route;
    this.request = request;
    this.kind = kind;
    this.token = client.handOver().token(claim.token(), handOvers);
    this.number = number;
    this.handOvers = handOvers;
    this.since = handOvers == 0 ? claim.confirmedAt() : client.world().nanoTime();
  }

  /**
   * Begins a hold for a request. Only its waiter gets the handle: nothing else may keep it alive.
   */
  public static HoldHandle begin(
      Claim claim, ReleaseRoute route, AcquireRequest request, int handOvers) {
    long number = request.client().nextHoldNumber();
    Kind kind = request.name().kind();
    return handle(new HoldState(claim, route, request, kind, handOvers, number));
  }

  private static HoldHandle handle(HoldState holdState) {
    HoldHandle handle = new HoldHandle(holdState);
    holdState.handle = new WeakReference<>(handle);
    holdState.claim.heldBy(holdState);
    return handle;
  }

  /** The caller is about to receive the handle: starts the times that count from the grant. */
  public void begin() {
    startMaxHold();
    request.tellAcquired(token, Duration.ofNanos(since - request.startedAt()), handOvers > 0);
  }

  private void startMaxHold() {
    view()
        .options()
        .maxHold()
        .ifPresent(most -> maxHold = client.world().schedule(most.toNanos(), this::tooLong));
  }

  private void tooLong() {
    // Lost first: the claim may belong to another hold by now, which must not be hit.
    String reason = "held longer than maxHold";
    if (lose(Loss.Cause.MAX_HOLD, reason)) {
      client.log(System.Logger.Level.WARNING, reason + ": " + name() + request.place());
      route.lost(claim, Loss.Cause.MAX_HOLD, reason);
    }
  }

  public Claim claim() {
    return claim;
  }

  public ReleaseRoute route() {
    return route;
  }

  public long token() {
    return token;
  }

  public String name() {
    return request.name().text();
  }

  private String tag() {
    return request.name().tag();
  }

  String id() {
    return client.holdId(number);
  }

  ClientView view() {
    return request.view();
  }

  public AcquireRequest request() {
    return request;
  }

  public boolean isHeld() {
    if (state.get() != Mark.HELD) {
      return false;
    }
    boolean believes = claim.believes();
    if (!believes && claim.isSuspect()) {
      client.renewals().soon(claim);
    }
    return believes;
  }

  public boolean isOver() {
    return state.get() != Mark.HELD;
  }

  @Nullable Loss loss() {
    return state.get() instanceof Loss loss ? loss : null;
  }

  /** Returns whether no thread can release the hold any more. */
  public boolean isAbandoned() {
    WeakReference<HoldHandle> ref = handle;
    boolean unreachable = ref != null && ref.get() == null;
    return unreachable || request.isOwnerDead();
  }

  /** Returns where the hold was acquired, if that was recorded. */
  public String place() {
    return request.place();
  }

  /** Calls back once if the hold is lost now or later. */
  void onLoss(Consumer<Loss> callback) {
    listeners.add(callback);
    Loss loss = loss();
    if (loss != null && listeners.remove(callback)) {
      client.call(() -> callback.accept(loss));
    }
  }

  public void renewalFailed(EngineException failure) {
    String why = String.valueOf(failure.getMessage());
    view().tell(() -> new HoldfastListener.RenewalFailed(tag(), kind, why));
  }

  /** Ends the hold as lost; returns false when it was over. */
  public boolean lose(Loss.Cause cause, String reason) {
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
    view().tell(() -> new HoldfastListener.Lost(tag(), kind, cause, heldFor()));
    return true;
  }

  /** Does what the timer is about to do, when the deadline has passed. */
  void loseIfExpired() {
    if (state.get() == Mark.HELD && claim.deadline() - client.world().nanoTime() <= 0) {
      String reason = claim.whyExpired();
      route.lost(claim, Loss.Cause.EXPIRED, reason);
      // Another thread may be about to report the loss; the caller must not see another result.
      lose(Loss.Cause.EXPIRED, reason);
    }
  }

  /**
   * Ends this hold and begins another one on the same claim, without a store call.
   *
   * @param other the kind of the new hold
   * @throws LockLostException when the hold was lost
   */
  public HoldHandle succeedAs(Kind other) {
    if (!endQuietly()) {
      Loss loss = loss();
      if (loss != null) {
        throw new LockLostException(loss);
      }
      throw new IllegalStateException("hold was released: " + name());
    }
    // The same grant under the same id, so that a guard recognises it.
    HoldState next = new HoldState(claim, route, request, other, 0, number);
    HoldHandle successor = handle(next);
    next.startMaxHold();
    Duration waited = Duration.ofNanos(next.since - request.startedAt());
    view().tell(() -> new HoldfastListener.Acquired(tag(), other, waited, false));
    return successor;
  }

  /** Ends the hold as released; returns false when it was over. */
  public boolean endQuietly() {
    boolean ended = state.compareAndSet(Mark.HELD, Mark.RELEASED);
    if (ended) {
      over();
      view().tell(() -> new HoldfastListener.Released(tag(), kind, Outcome.RELEASED, heldFor()));
    }
    return ended;
  }

  /**
   * Releases the hold.
   *
   * @param done receives the outcome, on any thread, possibly before this method returns
   */
  public void release(Consumer<Outcome> done) {
    end(done, () -> route.release(this, outcome -> released(outcome, done)));
  }

  /** As {@link #release}, but the store keeps the name taken for a time. */
  void releaseAndKeep(Duration keepFor, Consumer<Outcome> done) {
    end(done, () -> route.keep(this, keepFor, outcome -> released(outcome, done)));
  }

  private void end(Consumer<Outcome> done, Runnable leave) {
    loseIfExpired();
    if (!state.compareAndSet(Mark.HELD, Mark.RELEASING)) {
      Loss loss = loss();
      boolean lost = loss != null && loss.cause() != Loss.Cause.CLOSED;
      done.accept(lost ? Outcome.LOST : Outcome.ALREADY_RELEASED);
      return;
    }
    over();
    leave.run();
  }

  private void released(Outcome outcome, Consumer<Outcome> done) {
    if (outcome == Outcome.LOST) {
      lose(Mark.RELEASING, Loss.Cause.TAKEN, "the store did not know the claim any more");
    } else {
      state.compareAndSet(Mark.RELEASING, Mark.RELEASED);
      view().tell(() -> new HoldfastListener.Released(tag(), kind, outcome, heldFor()));
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

  /** Calls back once when the hold is over, released or lost; at once if it already is. */
  public void onOver(Runnable callback) {
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
