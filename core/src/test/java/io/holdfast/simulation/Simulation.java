package io.holdfast.simulation;

import io.holdfast.spi.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * 120 virtual seconds of the real runtime, with several clients and one simulated store.
 *
 * <p>There are faults for 90 seconds, then calm, then all tasks stop and nothing may be left.
 */
final class Simulation {

  static final int PERMITS = 3;

  private static final long CALM_AT = 90 * SimEvents.SECOND;
  private static final long HOT_UNTIL = 96 * SimEvents.SECOND;
  private static final long STOP_AT = 118 * SimEvents.SECOND;
  private static final long END_AT = 120 * SimEvents.SECOND;

  private final SimEvents events;
  private final SimPlan plan;
  private final SimFaults faults;
  private final SimStore store;
  private final SimRules rules;
  private final List<SimClient> clients = new ArrayList<>();
  private boolean hot;

  Simulation(long seed, SimBug bug) {
    events = new SimEvents(seed);
    plan = SimPlan.of(seed, bug, events);
    faults = new SimFaults(events, plan);
    store = new SimStore(events, plan);
    rules = new SimRules(this);
  }

  /** What a run did. */
  record Report(long events, long grants, long losses, long faults, long refusedWrites) {

    static final Report NONE = new Report(0, 0, 0, 0, 0);

    Report plus(Report other) {
      return new Report(
          events + other.events,
          grants + other.grants,
          losses + other.losses,
          faults + other.faults,
          refusedWrites + other.refusedWrites);
    }
  }

  /** Plays the seed to its end, or throws the rule that was broken. */
  Report run() {
    for (int i = 0; i < plan.clients(); i++) {
      addClient();
    }
    if (plan.amnesia()) {
      events.after(events.between(10 * SimEvents.SECOND, 60 * SimEvents.SECOND), store::forget);
    }
    events.after(CALM_AT, this::calm);
    events.runUntil(STOP_AT, rules::check);
    clients.forEach(client -> client.tasks().forEach(SimTask::stop));
    events.runUntil(STOP_AT + 3 * SimEvents.SECOND / 2, rules::check);
    nothingLeft();
    events.runUntil(END_AT, rules::check);
    return new Report(
        events.count(), rules.grants(), rules.losses(), faults.injected(), rules.refusedWrites());
  }

  private void addClient() {
    SimClient client = new SimClient(this);
    clients.add(client);
    client.start(plan.tasks());
  }

  private void calm() {
    faults.calm();
    if (plan.hot()) {
      // What went wrong before may still be on its way for a lease.
      events.after(
          events.between(plan.lease().toNanos(), 2 * plan.lease().toNanos()), () -> hot = true);
      events.after(2 * plan.lease().toNanos() + HOT_UNTIL - CALM_AT, () -> hot = false);
    }
  }

  /** Kills a client process where it stands and starts another in its place. */
  void crash(SimClient client) {
    if (clients.remove(client)) {
      client.world().die();
      events.after(events.between(0, SimEvents.SECOND), this::addClient);
    }
  }

  private void nothingLeft() {
    rules.require(store.isEmpty(), () -> "left in the store: " + store.describe());
    for (SimClient client : clients) {
      rules.require(client.leftovers().isEmpty(), () -> "left in a client:" + client.leftovers());
    }
  }

  /** Since when nothing goes wrong, and nothing that went wrong before has effects. */
  long calmSince() {
    return CALM_AT + 2 * plan.lease().toNanos();
  }

  /** How long after a loss of memory old beliefs may still stand next to new grants. */
  long recovery() {
    return plan.lease().toNanos() * 11 / 10;
  }

  int capacity() {
    return switch (plan.target()) {
      case MUTEX_ANY, MUTEX_FIFO -> 1;
      case SEMAPHORE -> PERMITS;
      case READ_WRITE -> Shape.READ_WRITE_CAPACITY;
    };
  }

  int weight() {
    return switch (plan.target()) {
      case MUTEX_ANY, MUTEX_FIFO -> 1;
      case SEMAPHORE -> 1 + events.random.nextInt(PERMITS);
      case READ_WRITE -> events.random.nextInt(3) == 0 ? Shape.READ_WRITE_CAPACITY : 1;
    };
  }

  boolean isHot() {
    return hot;
  }

  SimEvents events() {
    return events;
  }

  SimPlan plan() {
    return plan;
  }

  SimFaults faults() {
    return faults;
  }

  SimStore store() {
    return store;
  }

  SimRules rules() {
    return rules;
  }
}
