package io.holdfast;

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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The one timer of a client: renews what is held, and tells of a loss when a deadline passes.
 *
 * <p>A claim that is given back within a quarter of a second costs no timer of its own: it stays in
 * the set of fresh ones, which one tick looks at for all of them.
 */
final class Renewals {

  /*
   * Renewing stops strictly before leaving: Claim.leave() ends the claim first, and Claim.renew()
   * sends nothing for a claim that is over. One renewal is in flight for a claim at a time, because
   * a claim sends one verb at a time. Unknown changes nothing: only the deadline, or the store's
   * word that the ticket is gone, ends a hold.
   *
   * The heap belongs to whoever holds the lock, which is one tick at a time. Entries are never
   * removed from it: one whose time is not the claim's scheduledFor any more is stale.
   */

  private static final long TICK = 250_000_000L;
  private static final long RETRY = 250_000_000L;
  private static final long LOOK_AGAIN = 10_000_000_000L;
  private static final double SPREAD = 0.1;

  /** When a claim is to be looked at. */
  private record Due(long at, Claim claim) {}

  private final Client client;
  private final Set<Claim> fresh = ConcurrentHashMap.newKeySet();
  private final Set<Claim> aged = ConcurrentHashMap.newKeySet();
  private final Queue<Claim> inbox = new ConcurrentLinkedQueue<>();
  private final PriorityQueue<Due> heap = new PriorityQueue<>((a, b) -> Long.signum(a.at - b.at));

  /** Resources whose records were changed by something other than this client. */
  private final Set<Resource> changed = ConcurrentHashMap.newKeySet();

  private final ReentrantLock heapLock = new ReentrantLock();
  private final ReentrantLock armLock = new ReentrantLock();

  private volatile boolean armed;
  private volatile long armedFor;
  private @Nullable Runnable disarm;

  Renewals(Client client) {
    this.client = client;
  }

  /** Takes care of a claim that was just granted. */
  void add(Claim claim) {
    long now = claim.confirmedAt();
    planRenewal(claim, now);
    fresh.add(claim);
    arm(Math.min(TICK, nextLook(claim) - now), now);
  }

  /** Forgets a claim. */
  void remove(Claim claim) {
    if (!fresh.remove(claim)) {
      aged.remove(claim);
    }
  }

  /** How many claims are held. */
  int size() {
    return fresh.size() + aged.size();
  }

  void forEach(Consumer<Claim> action) {
    fresh.forEach(action);
    aged.forEach(action);
  }

  /** Looks at a claim again soon: something about it has changed. */
  void soon(Claim claim) {
    if (isLive(claim)) {
      inbox.add(claim);
      arm(0, client.world().nanoTime());
    }
  }

  /**
   * Asks the store about every hold of the resource now, because its records were changed. One tick
   * serves all reports that came before it, so that ten thousand of them cost one pass.
   */
  void check(Resource resource) {
    if (size() > 0 && changed.add(resource)) {
      arm(0, client.world().nanoTime());
    }
  }

  /** A live hold on the resource that fits, if there is one; looks through all of them. */
  @Nullable Tenure heldOn(Resource resource, Predicate<Tenure> fits) {
    for (Set<Claim> some : List.of(fresh, aged)) {
      for (Claim claim : some) {
        Tenure tenure = claim.ticket().resource().equals(resource) ? claim.tenure() : null;
        if (tenure != null && fits.test(tenure)) {
          return tenure;
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
      // The host was suspended since the verb was sent: only a later answer clears the doubt.
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
      disarm = client.world().schedule(at - now, this::tick);
    } finally {
      armLock.unlock();
    }
  }

  private void tick() {
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
        }
      }
      for (Claim claim = inbox.poll(); claim != null; claim = inbox.poll()) {
        if (isLive(claim)) {
          schedule(claim, claim.isSuspect() ? now : nextLook(claim), now);
        }
      }
      checkChanged(actions);
      drainDue(now, actions);
      Due next = heap.peek();
      if (next != null) {
        arm(next.at - now, now);
      }
    } finally {
      heapLock.unlock();
    }
    actions.forEach(this::runSafely);
  }

  private void checkChanged(List<Runnable> actions) {
    if (changed.isEmpty()) {
      return;
    }
    Set<Resource> due = new HashSet<>();
    // One by one: a report that comes after its resource was taken out counts for the next tick.
    changed.removeIf(due::add);
    forEach(
        claim -> {
          if (due.contains(claim.ticket().resource())) {
            actions.add(() -> claim.check(answerTo(claim)));
          }
        });
  }

  /** One that fails must not cost the others their renewal. */
  private void runSafely(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | OutOfMemoryError e) {
      client.log(System.Logger.Level.ERROR, "a renewal or loss could not be dealt with: " + e);
    }
  }

  private void schedule(Claim claim, long at, long now) {
    // Looked at now and then, so that the heap does not keep what was given back for a third of it.
    long soon = at - now < LOOK_AGAIN ? at : now + LOOK_AGAIN;
    claim.scheduledFor = soon;
    heap.add(new Due(soon, claim));
  }

  private void drainDue(long now, List<Runnable> actions) {
    for (Due due = heap.peek(); due != null; due = heap.peek()) {
      Claim claim = due.claim();
      boolean stale = due.at != claim.scheduledFor || !aged.contains(claim);
      if (!stale && due.at - now > ahead(claim)) {
        return;
      }
      heap.poll();
      if (!stale) {
        look(claim, now, actions);
      }
    }
  }

  /** How early a renewal may go out to share a batch with others; a deadline is never early. */
  private static long ahead(Claim claim) {
    return isRenewedFirst(claim) ? claim.terms().lease() / 20 : 0;
  }

  private void look(Claim claim, long now, List<Runnable> actions) {
    Tenure tenure = claim.tenure();
    if (claim.isOver() || tenure == null) {
      return;
    }
    if (claim.deadline() - now <= 0) {
      actions.add(() -> client.lose(claim, Loss.Cause.EXPIRED, claim.whyExpired()));
    } else if (!tenure.isOver() && tenure.isAbandoned()) {
      actions.add(() -> abandoned(claim, tenure));
    } else {
      boolean due = claim.isSuspect() || claim.renewAt - now <= ahead(claim);
      if (due && !claim.terms().fixed()) {
        long timeout = client.options().operationTimeout().toNanos();
        claim.renewAt = now + Math.min(timeout, claim.terms().lease() / 6);
        actions.add(() -> renewNow(claim));
      }
      schedule(claim, nextLook(claim), now);
    }
  }

  private void abandoned(Claim claim, Tenure tenure) {
    String what = "nobody can release " + tenure.name() + " any more" + tenure.place();
    client.log(System.Logger.Level.WARNING, what + "; it is given back now");
    client.lose(claim, Loss.Cause.ABANDONED, "its handle or its thread is gone");
  }

  /** Renews a claim unless a verb of it is under way; the answer is dealt with here. */
  void renewNow(Claim claim) {
    claim.renew(answerTo(claim));
  }

  private Verb.Answer<Renewal> answerTo(Claim claim) {
    return new Verb.Answer<>() {
      @Override
      public void answered(Renewal renewal) {
        client.pulse().heard(client.world().nanoTime());
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

  /** The store said that a claim is gone. */
  void gone(Claim claim, Renewal.Gone gone) {
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
    client.pulse().failed(failure);
    Tenure tenure = claim.tenure();
    if (tenure != null) {
      tenure.renewalFailed(failure);
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
