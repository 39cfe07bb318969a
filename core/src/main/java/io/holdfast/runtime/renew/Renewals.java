package io.holdfast.runtime.renew;

import io.holdfast.Loss;
import io.holdfast.runtime.acquire.Claim;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.hold.HoldState;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The timer of a client: renews holds, and reports a loss when a deadline passes.
 *
 * <p>A claim that is released within a quarter of a second costs no timer of its own: it stays in
 * the set of fresh claims, which one tick checks together.
 */
public final class Renewals {

  /*
   * Renewing stops strictly before leaving: Claim.leave() ends the claim first, and Claim.renew()
   * sends nothing for a claim that is over. One renewal is in flight for a claim at a time, because
   * a claim sends one verb at a time. Unknown changes nothing: only the deadline, or the store's
   * reply that the ticket is gone, ends a hold.
   *
   * The heap belongs to the thread that holds the lock, which is one tick at a time. Entries are
   * never removed from it: an entry whose time is no longer the claim's scheduledFor is stale.
   *
   * Timers stand still while the host is suspended, so after it the next look may be a third of the
   * lease away, and the lease may end in the store before. So the clocks are compared every two
   * seconds while anything is held, and doubtful claims are renewed then. Safety does not depend on
   * it (Belief); it keeps holds that can still be kept.
   *
   * A store that has reconnected reports every hold at once. These checks are sent some at a time,
   * first reported, first checked, so that ten thousand of them delay neither renewals nor releases.
   */

  private static final long TICK = 250_000_000L;
  private static final long RETRY = 250_000_000L;
  private static final long LOOK_AGAIN = 10_000_000_000L;
  private static final double SPREAD = 0.1;

  /** How often the clocks are compared while anything is held. */
  private static final long COMPARE_CLOCKS = 2_000_000_000L;

  /** Less than the smallest jump that makes a claim doubtful. */
  private static final long SMALL_JUMP = 10_000_000L;

  /** How many reported resources are checked at once, and the pause before the next ones. */
  private static final int CHECKS_AT_ONCE = 500;

  private static final long CHECK_PAUSE = 50_000_000L;

  /** When a claim is checked next. */
  private record Due(long at, Claim claim) {}

  private final Client client;
  private final Set<Claim> fresh = ConcurrentHashMap.newKeySet();
  private final Set<Claim> aged = ConcurrentHashMap.newKeySet();
  private final Queue<Claim> inbox = new ConcurrentLinkedQueue<>();
  private final PriorityQueue<Due> heap = new PriorityQueue<>((a, b) -> Long.signum(a.at - b.at));

  /** Resources whose records were changed by something other than this client, first come first. */
  private final Queue<Resource> changed = new ConcurrentLinkedQueue<>();

  /** The same, to find out whether one of them waits already. */
  private final Set<Resource> queued = ConcurrentHashMap.newKeySet();

  /** Threads that wait until nothing is held; {@code drains} is false before the first of them. */
  private final Set<Thread> drainers = ConcurrentHashMap.newKeySet();

  private volatile boolean drains;

  private final ReentrantLock heapLock = new ReentrantLock();
  private final ReentrantLock armLock = new ReentrantLock();

  private volatile boolean armed;
  private volatile long armedFor;
  private @Nullable Runnable disarm;

  /** How far the clocks were apart at the last tick; belongs to the heap. */
  private long apart;

  /** When the next reported resources may be checked; belongs to the heap. */
  private long nextChecks;

  public Renewals(Client client) {
    this.client = client;
  }

  /** Starts to renew a claim that was just granted. */
  public void add(Claim claim) {
    long now = claim.confirmedAt();
    planRenewal(claim, now);
    fresh.add(claim);
    arm(Math.min(TICK, nextLook(claim) - now), now);
  }

  /** Removes a claim. */
  public void remove(Claim claim) {
    if (!fresh.remove(claim)) {
      aged.remove(claim);
    }
    wakeDrainers();
  }

  private void wakeDrainers() {
    if (drains && size() == 0) {
      drainers.forEach(LockSupport::unpark);
    }
  }

  /**
   * Waits until no claim is held, at most for the given time. An interrupt ends the wait and keeps
   * the interrupt flag.
   *
   * @return whether no claim is held
   */
  public boolean awaitNone(long nanos) {
    Thread me = Thread.currentThread();
    long until = client.world().nanoTime() + nanos;
    drains = true;
    drainers.add(me);
    try {
      while (size() > 0 && !me.isInterrupted()) {
        long left = until - client.world().nanoTime();
        if (left <= 0) {
          break;
        }
        client.world().park(this, left);
      }
    } finally {
      drainers.remove(me);
    }
    return size() == 0;
  }

  /** Returns the number of held claims whose last renewal got no reply; looks at all of them. */
  public int failing() {
    int failing = 0;
    for (Set<Claim> some : List.of(fresh, aged)) {
      for (Claim claim : some) {
        failing += claim.failures > 0 ? 1 : 0;
      }
    }
    return failing;
  }

  /** Returns the number of held claims. */
  public int size() {
    return fresh.size() + aged.size();
  }

  public void forEach(Consumer<Claim> action) {
    fresh.forEach(action);
    aged.forEach(action);
  }

  /** Checks a claim again soon, because something about it has changed. */
  public void soon(Claim claim) {
    if (isLive(claim)) {
      inbox.add(claim);
      arm(0, client.world().nanoTime());
    }
  }

  /**
   * Asks the store about every hold of the resource soon, because its records were changed. Reports
   * that arrive before the request is sent share it.
   */
  public void check(Resource resource) {
    if (size() > 0 && queued.add(resource)) {
      changed.add(resource);
      arm(0, client.world().nanoTime());
    }
  }

  /** Returns a live hold on the resource that matches, if there is one; scans all holds. */
  public @Nullable HoldState heldOn(Resource resource, Predicate<HoldState> fits) {
    for (Set<Claim> some : List.of(fresh, aged)) {
      for (Claim claim : some) {
        HoldState holdState = claim.ticket().resource().equals(resource) ? claim.holdState() : null;
        if (holdState != null && fits.test(holdState)) {
          return holdState;
        }
      }
    }
    return null;
  }

  private boolean isLive(Claim claim) {
    return fresh.contains(claim) || aged.contains(claim);
  }

  private void planRenewal(Claim claim, long now) {
    if (claim.isSuspect()) {
      // The host was suspended since the verb was sent: only a later reply clears the doubt.
      claim.renewAt = now;
      return;
    }
    // A grant that came by a signal has less than its lease left.
    long usual = Math.min(claim.terms().lease() / 3, (claim.deadline() - now) / 2);
    claim.renewAt = now + client.jitter().around(Math.max(0, usual), SPREAD);
  }

  private static long nextLook(Claim claim) {
    return isRenewedFirst(claim) ? claim.renewAt : claim.deadline();
  }

  private static boolean isRenewedFirst(Claim claim) {
    return !claim.terms().fixed() && claim.renewAt - claim.deadline() < 0;
  }

  private void arm(long delay, long now) {
    arm(delay, now, this::tick);
  }

  private void arm(long delay, long now, Runnable tick) {
    long at = now + Math.max(0, delay);
    if (armed && armedFor - at <= 0) {
      return;
    }
    armLock.lock();
    try {
      if (armed && armedFor - at <= 0) {
        return;
      }
      if (disarm != null) {
        disarm.run();
      }
      armedFor = at;
      armed = true;
      disarm = client.world().schedule(at - now, tick);
    } finally {
      armLock.unlock();
    }
  }

  private void tick() {
    tick(true);
  }

  /** The clocks are to be compared, and nothing may be due: no renewal goes out early for that. */
  private void tickForClocks() {
    tick(false);
  }

  private void tick(boolean early) {
    armed = false;
    List<Runnable> actions = new ArrayList<>();
    heapLock.lock();
    try {
      long now = client.world().nanoTime();
      for (Claim claim : List.copyOf(fresh)) {
        aged.add(claim);
        if (fresh.remove(claim)) {
          schedule(claim, nextLook(claim), now);
        } else {
          aged.remove(claim);
          wakeDrainers();
        }
      }
      for (Claim claim = inbox.poll(); claim != null; claim = inbox.poll()) {
        if (isLive(claim)) {
          schedule(claim, claim.isSuspect() ? now : nextLook(claim), now);
        }
      }
      compareClocks(now);
      checkChanged(now, actions);
      drainDue(now, early, actions);
      Due next = heap.peek();
      if (next != null && next.at - now > COMPARE_CLOCKS) {
        arm(COMPARE_CLOCKS, now, this::tickForClocks);
      } else if (next != null) {
        arm(next.at - now, now);
      }
    } finally {
      heapLock.unlock();
    }
    actions.forEach(this::runSafely);
  }

  /** Renews doubtful claims now if the clocks jumped since the last tick. */
  private void compareClocks(long now) {
    long before = apart;
    apart = client.clocks().apart(now);
    if (apart - before > SMALL_JUMP) {
      for (Claim claim : aged) {
        if (!claim.terms().fixed() && claim.isSuspect()) {
          schedule(claim, now, now);
        }
      }
    }
  }

  private void checkChanged(long now, List<Runnable> actions) {
    if (changed.isEmpty()) {
      return;
    }
    if (nextChecks - now > 0 && nextChecks - now <= CHECK_PAUSE) {
      arm(nextChecks - now, now);
      return;
    }
    Set<Resource> due = new HashSet<>();
    while (due.size() < CHECKS_AT_ONCE && !changed.isEmpty()) {
      Resource next = changed.remove();
      // Forgotten before it is checked: a report from here on needs another check.
      queued.remove(next);
      due.add(next);
    }
    if (!changed.isEmpty()) {
      nextChecks = now + CHECK_PAUSE;
      arm(CHECK_PAUSE, now);
    }
    forEach(
        claim -> {
          if (due.contains(claim.ticket().resource())) {
            actions.add(() -> claim.check(answerTo(claim)));
          }
        });
  }

  /** A claim that fails must not cost the others their renewal. */
  private void runSafely(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | OutOfMemoryError e) {
      client.log(System.Logger.Level.ERROR, "a renewal or loss could not be handled: " + e);
    }
  }

  private void schedule(Claim claim, long at, long now) {
    // Checked now and then, so that the heap does not keep released claims for a third of the
    // lease.
    long soon = at - now < LOOK_AGAIN ? at : now + LOOK_AGAIN;
    claim.scheduledFor = soon;
    heap.add(new Due(soon, claim));
  }

  private void drainDue(long now, boolean early, List<Runnable> actions) {
    for (Due due = heap.peek(); due != null; due = heap.peek()) {
      Claim claim = due.claim();
      boolean stale = due.at != claim.scheduledFor || !aged.contains(claim);
      if (!stale && due.at - now > (early ? ahead(claim) : 0)) {
        return;
      }
      heap.poll();
      if (!stale) {
        look(claim, now, actions);
      }
    }
  }

  /**
   * Returns how early a renewal may go out to share a batch; a deadline is never early. It is less
   * than the pause after a renewal in {@link #look}: otherwise the one that was just sent would be
   * due again at once, and a tick would never end.
   */
  private long ahead(Claim claim) {
    return isRenewedFirst(claim)
        ? Math.min(claim.terms().lease() / 20, operationTimeout() * 3 / 4)
        : 0;
  }

  private long operationTimeout() {
    return client.options().operationTimeout().toNanos();
  }

  private void look(Claim claim, long now, List<Runnable> actions) {
    HoldState holdState = claim.holdState();
    if (claim.isOver() || holdState == null) {
      return;
    }
    if (claim.deadline() - now <= 0) {
      actions.add(() -> client.lose(claim, Loss.Cause.EXPIRED, claim.whyExpired()));
    } else if (!holdState.isOver() && holdState.isAbandoned()) {
      actions.add(() -> abandoned(claim, holdState));
    } else {
      boolean due = claim.isSuspect() || claim.renewAt - now <= ahead(claim);
      if (due && !claim.terms().fixed()) {
        claim.renewAt = now + Math.min(operationTimeout(), claim.terms().lease() / 6);
        actions.add(() -> renewNow(claim));
      }
      schedule(claim, nextLook(claim), now);
    }
  }

  private void abandoned(Claim claim, HoldState holdState) {
    String what = "no thread can release " + holdState.name() + " any more" + holdState.place();
    client.log(System.Logger.Level.WARNING, what + "; it is released now");
    client.lose(claim, Loss.Cause.ABANDONED, "its handle or its thread is gone");
  }

  /** Renews a claim unless one of its verbs is under way; handles the reply. */
  public void renewNow(Claim claim) {
    claim.renew(answerTo(claim));
  }

  private Verb.Answer<Renewal> answerTo(Claim claim) {
    return new Verb.Answer<>() {
      @Override
      public void answered(Renewal renewal) {
        client.storeStatus().heard(client.world().nanoTime());
        if (renewal instanceof Renewal.Gone gone) {
          gone(claim, gone);
        } else {
          planRenewal(claim, client.world().nanoTime());
          if (claim.isSuspect()) {
            soon(claim);
          }
        }
      }

      @Override
      public void failed(EngineException failure) {
        renewalFailed(claim, failure);
      }
    };
  }

  /** The store reported that a claim is gone. */
  public void gone(Claim claim, Renewal.Gone gone) {
    Loss.Cause cause =
        switch (gone.cause()) {
          case UNKNOWN_TICKET -> Loss.Cause.TAKEN;
          case REVOKED -> Loss.Cause.REVOKED;
          case SESSION_OVER -> Loss.Cause.SESSION_OVER;
        };
    String reason =
        gone.reason().isEmpty() ? "the store does not know the claim any more" : gone.reason();
    client.lose(claim, cause, reason);
  }

  private void renewalFailed(Claim claim, EngineException failure) {
    client.storeStatus().failed(failure);
    HoldState holdState = claim.holdState();
    if (holdState != null) {
      holdState.renewalFailed(failure);
    }
    int failures = claim.failures;
    claim.failures = failures + 1;
    long first = Math.min(RETRY, claim.terms().lease() / 20);
    long pause = Math.min(first << Math.min(failures, 4), claim.terms().lease() / 6);
    long now = client.world().nanoTime();
    claim.renewAt = now + client.jitter().around(pause, SPREAD);
    if (isLive(claim)) {
      inbox.add(claim);
      arm(nextLook(claim) - now, now);
    }
  }
}
