package io.holdfast.simulation;

import io.holdfast.Loss;
import io.holdfast.runtime.hold.HoldState;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What must be true after every event. */
final class SimRules {

  /** A rule was broken; the message says when and which. */
  static final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
      super(message);
    }
  }

  private static final long REPORTED_WITHIN = 50 * SimEvents.MILLI;

  private final Simulation sim;
  private final List<SimHold> live = new ArrayList<>();
  private final Set<Long> tokens = new HashSet<>();
  private final Set<Ticket.Id> gone = new HashSet<>();
  private final Map<Ticket.Id, Long> askedFirst = new HashMap<>();
  private final Map<Ticket.Id, Long> toldPlace = new HashMap<>();
  private @Nullable Violation broken;
  private long highest;
  private long guard;
  private long newestAccepted;
  private long begun;
  private long grants;
  private long losses;
  private long refusedWrites;

  SimRules(Simulation sim) {
    this.sim = sim;
  }

  long grants() {
    return grants;
  }

  long losses() {
    return losses;
  }

  long refusedWrites() {
    return refusedWrites;
  }

  void require(boolean kept, Supplier<String> rule) {
    if (kept) {
      return;
    }
    if (broken == null) {
      // Kept as well as thrown: a future swallows what its callbacks throw.
      broken =
          new Violation(
              String.format(
                  "at %.6f s: %s", sim.events().now() / (double) SimEvents.SECOND, rule.get()));
    }
    throw broken;
  }

  /** The highest token that any holder has seen: a later request must get a larger one. */
  long highest() {
    return highest;
  }

  void began(SimHold hold) {
    grants++;
    hold.number = ++begun;
    if (sim.plan().exclusive()) {
      long token = hold.hold.token();
      // What a client hands over belongs to its grant, even next to the grants of a store that
      // forgot.
      boolean ofForgotten = token % 1024 > 0 && isRecovering();
      require(
          token > hold.floor || ofForgotten,
          () -> "token " + token + " after " + hold.floor + " was seen");
      require(tokens.add(token), () -> "token " + token + " given twice");
      highest = Math.max(highest, token);
    }
    live.add(hold);
  }

  void ended(SimHold hold) {
    live.remove(hold);
  }

  /** After every event: the holds that are believed fit together. */
  void check() {
    if (broken != null) {
      throw broken;
    }
    if (isRecovering()) {
      return;
    }
    long believed = 0;
    for (int i = 0; i < live.size(); i++) {
      SimHold hold = live.get(i);
      SimWorld world = hold.client.world();
      // A suspended client cannot act; its beliefs are checked when it runs again. Checked from
      // outside: asking the hold itself would also make it renew when the clocks cast doubt.
      if (!world.isDead() && !world.isSuspended() && believes(hold.hold.holdState())) {
        believed += hold.weight;
      }
    }
    if (believed > sim.capacity()) {
      long sum = believed;
      require(false, () -> "overlap of beliefs: " + sum + " in " + sim.capacity());
    }
  }

  private static boolean believes(HoldState holdState) {
    return !holdState.isOver() && holdState.claim().believes();
  }

  /** Returns whether the store forgot so recently that old beliefs may stand next to new grants. */
  private boolean isRecovering() {
    long forgotAt = sim.store().forgotAt();
    return forgotAt >= 0 && sim.events().now() - forgotAt < sim.recovery();
  }

  /** A guarded write arrives at what is protected. */
  void write(SimHold hold) {
    if (!sim.plan().exclusive()) {
      return;
    }
    long token = hold.hold.token();
    boolean accepted = token > guard || (token == guard && newestAccepted == hold.number);
    if (!accepted) {
      refusedWrites++;
      boolean newest = hold.number == begun && !isRecovering();
      require(
          !(newest && hold.hold.isHeld()),
          () -> "the guard refused the newest holder: token " + token);
      return;
    }
    require(hold.number >= newestAccepted, () -> "a stale write was accepted: token " + token);
    guard = token;
    newestAccepted = hold.number;
  }

  void lost(SimHold hold, Loss loss) {
    losses++;
    hold.notices++;
    require(hold.notices == 1, () -> "loss reported twice: " + loss);
    if (loss.cause() == Loss.Cause.EXPIRED) {
      SimWorld world = hold.client.world();
      long late = world.nanoTime() - hold.hold.holdState().claim().deadline();
      boolean ran = world.ranFor(late + REPORTED_WITHIN);
      require(
          late <= REPORTED_WITHIN || !ran,
          () -> "loss reported " + late / SimEvents.MILLI + " ms late");
    }
  }

  /** The end of a hold, seen some time later. */
  void settled(SimHold hold) {
    boolean lost = hold.hold.loss().isPresent();
    require(
        hold.notices == (lost ? 1 : 0),
        () -> "notices " + hold.notices + " for a hold that was " + (lost ? "lost" : "released"));
  }

  void sent(Verb verb) {
    if (verb instanceof Verb.Attempt) {
      askedFirst.putIfAbsent(verb.ticket().id(), sim.events().now());
    }
  }

  void reportedPlace(Ticket ticket) {
    if (ticket.waits()) {
      toldPlace.putIfAbsent(ticket.id(), sim.events().now());
    }
  }

  /** The store took a ticket out; an earlier attempt of it must not join any more. */
  void left(Ticket ticket) {
    toldPlace.remove(ticket.id());
    gone.add(ticket.id());
  }

  /**
   * The store replied: one token for a ticket, and no ticket overtakes another whose place was
   * reported.
   *
   * @param before the token that the ticket had, or 0
   */
  void repliedAtStore(Ticket ticket, long before, Standing standing) {
    boolean forgot = sim.store().forgotAt() >= 0;
    require(forgot || !gone.contains(ticket.id()), () -> ticket.id() + " joined after it had left");
    if (!(standing instanceof Standing.Granted granted)) {
      return;
    }
    require(
        before == 0 || before == granted.token(),
        () -> "a second token for " + ticket.id() + ": " + granted.token() + " after " + before);
    boolean first = before == 0;
    toldPlace.remove(ticket.id());
    if (first && sim.plan().target() == SimPlan.Target.MUTEX_FIFO) {
      Long asked = askedFirst.get(ticket.id());
      for (Map.Entry<Ticket.Id, Long> other : toldPlace.entrySet()) {
        boolean overtaken =
            asked != null
                && other.getValue() < asked
                && other.getValue() > sim.calmSince()
                && sim.store().isWaiting(other.getKey());
        require(!overtaken, () -> ticket.id() + " overtook " + other.getKey());
      }
    }
  }
}
