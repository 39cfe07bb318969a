package io.holdfast.simulation;

import io.holdfast.runtime.lane.Batch;
import io.holdfast.runtime.lane.Lane;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * The lanes of one client over a network that loses, delays and repeats.
 *
 * <p>A verb without a reply within the operation timeout is unknown, and may still reach the store
 * later.
 */
final class SimLane implements Lane {

  private static final long GATHER = 20_000L;

  private final SimEvents events;
  private final SimPlan plan;
  private final SimWorld world;
  private final SimStore store;
  private final SimFaults faults;
  private final SimRules rules;
  private final long timeout;
  private final Set<Verb> queue = new LinkedHashSet<>();
  private final Set<Ticket.Id> underWay = new HashSet<>();
  private final Set<Ticket.Id> wereGranted = new HashSet<>();
  private final Map<Ticket.Id, Wake> lastWakes = new HashMap<>();
  private final IntSupplier callers;
  private boolean gathering;

  /**
   * The lanes of a client.
   *
   * @param callers how many tasks of the client wait
   */
  SimLane(Simulation sim, SimWorld world, long timeout, IntSupplier callers) {
    this.events = sim.events();
    this.plan = sim.plan();
    this.store = sim.store();
    this.faults = sim.faults();
    this.rules = sim.rules();
    this.world = world;
    this.timeout = timeout;
    this.callers = callers;
  }

  @Override
  public void submit(Verb verb) {
    rules.require(
        underWay.add(verb.ticket().id()),
        () -> "two verbs of one ticket at a time: " + verb.ticket());
    rules.require(
        !(verb instanceof Verb.Attempt) || callers.getAsInt() > 0,
        () -> "asked for " + verb.ticket().id() + " though no caller waits");
    rules.sent(verb);
    boolean gaveUp = verb instanceof Verb.Leave && !wereGranted.contains(verb.ticket().id());
    boolean stays = plan.bug() == SimBug.NO_LEAVE_ON_CANCEL || plan.bug() == SimBug.GHOST_WAITER;
    if (stays && gaveUp) {
      finish(verb, () -> ((Verb.Leave) verb).complete(Left.WAITING));
      if (plan.bug() == SimBug.GHOST_WAITER) {
        askAgain(verb.ticket());
      }
      return;
    }
    queue.add(verb);
    if (!gathering) {
      gathering = true;
      events.after(GATHER, () -> world.awake(this::send));
    }
  }

  private void askAgain(Ticket ghost) {
    Verb.Answer<Standing> unheard =
        new Verb.Answer<>() {
          @Override
          public void answered(Standing standing) {}

          @Override
          public void failed(EngineException failure) {}
        };
    world.schedule(300 * SimEvents.MILLI, () -> submit(new Verb.Attempt(ghost, () -> {}, unheard)));
  }

  private void send() {
    gathering = false;
    while (!queue.isEmpty()) {
      List<Verb> batch;
      if (plan.bug() == SimBug.TWO_ATTEMPTS_IN_A_BATCH) {
        batch = new ArrayList<>(queue);
        queue.clear();
      } else {
        batch = Batch.next(queue, store.traits().batch());
      }
      send(batch);
    }
  }

  private void send(List<Verb> batch) {
    long sentAt = world.nanoTime();
    for (Verb verb : batch) {
      long limit = isReserved(verb) ? Math.min(timeout, plan.lease().toNanos() / 6) : timeout;
      world.schedule(
          limit, () -> fail(verb, new EngineException.Unknown("no reply in time", null)));
    }
    if (faults.refuses()) {
      EngineException refused = new EngineException.NotDone("connection refused", null);
      events.after(
          events.between(0, SimEvents.MILLI), () -> world.awake(() -> failAll(batch, refused)));
      return;
    }
    long delay = faults.request(plan.lease().toNanos());
    if (delay >= 0) {
      events.after(delay, () -> arrive(batch, sentAt));
    }
    // What was sent travels on, and its reply waits for the host.
    world.suspend(faults.suspension());
  }

  private static boolean isReserved(Verb verb) {
    return verb instanceof Verb.Renew || verb instanceof Verb.Leave;
  }

  private void failAll(List<Verb> batch, EngineException failure) {
    batch.forEach(verb -> fail(verb, failure));
  }

  private void fail(Verb verb, EngineException failure) {
    if (!verb.isComplete()) {
      finish(verb, () -> verb.fail(failure));
    }
  }

  private void finish(Verb verb, Runnable completion) {
    if (!verb.isComplete()) {
      underWay.remove(verb.ticket().id());
      completion.run();
    }
  }

  /** The batch is at the store: one transaction, whose replies travel back together. */
  private void arrive(List<Verb> batch, long sentAt) {
    List<Runnable> answers = new ArrayList<>();
    List<?> seen = store.snapshot();
    for (Verb verb : batch) {
      answers.add(execute(verb, seen, sentAt));
    }
    for (long delay : faults.deliveries()) {
      events.after(delay, () -> world.awake(() -> answers.forEach(Runnable::run)));
    }
  }

  private Runnable execute(Verb verb, List<?> seen, long sentAt) {
    try {
      if (verb instanceof Verb.Attempt attempt) {
        Wake wake = wakeFor(attempt, sentAt);
        long before = store.tokenOf(verb.ticket());
        Standing standing = store.attempt(verb.ticket(), wake, seen);
        rules.repliedAtStore(verb.ticket(), before, standing);
        return () -> finish(verb, () -> attempt.complete(seenByClient(verb, standing, sentAt)));
      } else if (verb instanceof Verb.Renew renew) {
        boolean wasIn = store.tokenOf(verb.ticket()) != 0;
        Renewal renewal = store.renew(verb.ticket());
        rules.require(
            wasIn || renewal instanceof Renewal.Gone,
            () -> "a renewal brought back " + verb.ticket().id());
        return () -> finish(verb, () -> renew.complete(renewal));
      } else if (verb instanceof Verb.Leave leave) {
        var left = store.leave(verb.ticket(), leave.inDoubt());
        rules.left(verb.ticket());
        return () -> finish(verb, () -> leave.complete(left));
      }
      throw new AssertionError("not simulated: " + verb);
    } catch (EngineException e) {
      return () -> fail(verb, e);
    }
  }

  private Standing seenByClient(Verb verb, Standing standing, long sentAt) {
    if (standing instanceof Standing.Granted granted) {
      wereGranted.add(verb.ticket().id());
      if (plan.bug() == SimBug.DEADLINE_FROM_RESPONSE) {
        Duration more = granted.validFor().plusNanos(world.nanoTime() - sentAt);
        return new Standing.Granted(granted.token(), more, granted.wanted());
      }
    } else if (standing instanceof Standing.Waiting) {
      rules.reportedPlace(verb.ticket());
    }
    return standing;
  }

  private Wake wakeFor(Verb.Attempt attempt, long sentAt) {
    lastWakes.put(attempt.ticket().id(), attempt.wake());
    return new Wake() {
      @Override
      public void wake() {
        deliver(attempt.wake()::wake);
      }

      @Override
      public void granted(Standing.Granted granted) {
        rules.repliedAtStore(attempt.ticket(), 0, granted);
        deliver(() -> signalled(attempt, granted, sentAt));
      }
    };
  }

  private void deliver(Runnable message) {
    for (long delay : faults.deliveries()) {
      events.after(
          delay,
          () -> {
            world.suspend(faults.suspension());
            world.awake(() -> world.hearSignal(message));
          });
    }
  }

  private void signalled(Verb.Attempt attempt, Standing.Granted granted, long sentAt) {
    wereGranted.add(attempt.ticket().id());
    long more = plan.bug() == SimBug.GRANT_FROM_ARRIVAL ? world.nanoTime() - sentAt : 0;
    Wake last = lastWakes.getOrDefault(attempt.ticket().id(), attempt.wake());
    Wake wake = plan.bug() == SimBug.GRANT_OF_ANOTHER_ATTEMPT ? last : attempt.wake();
    wake.granted(
        new Standing.Granted(
            granted.token(), granted.validFor().plusNanos(more), granted.wanted()));
  }

  @Override
  public boolean withdraw(Verb verb) {
    boolean withdrawn = queue.remove(verb);
    if (withdrawn) {
      underWay.remove(verb.ticket().id());
    }
    return withdrawn;
  }

  @Override
  public boolean isFull() {
    return false;
  }

  @Override
  public void close() {}
}
