package io.holdfast.tck.conformance;

import static io.holdfast.tck.conformance.LineModel.require;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.tck.conformance.LineModel.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The model of one resource, for {@link LineModel}. */
final class ResourceModel {

  /** A ticket in line. */
  private static final class Place {
    final Ticket.Id id;
    int weight;
    long token;
    Span end;

    /**
     * Whether it repeated its attempt when it might have been gone: then it kept its place, or got
     * another behind all others.
     */
    boolean mayBeFurtherBack;

    Place(Ticket ticket, Span end) {
      this.id = ticket.id();
      this.weight = ticket.weight();
      this.end = end;
    }

    boolean isIn() {
      return token != 0;
    }
  }

  /** A finished run. */
  private record Mark(Ticket.Id maker, Span end) {}

  private final Duration slack;
  private final int silentWaiterLeases;
  private final List<Place> places = new ArrayList<>();
  private @Nullable Shape shape;
  private @Nullable Mark mark;
  private long highest;

  ResourceModel(Duration slack, int silentWaiterLeases) {
    this.slack = slack;
    this.silentWaiterLeases = silentWaiterLeases;
  }

  void attempted(Ticket ticket, Standing answer, Span when) {
    forget(when);
    Place known = find(ticket);
    if (answer instanceof Standing.Done done) {
      require(mark != null, "only a mark makes a run done", ticket, answer);
      require(done.left().toNanos() >= 0, "a mark counts down", ticket, answer);
      places.remove(known);
      return;
    }
    require(mark == null || !mark.end.surelyAfter(when), "a mark ends waiting", ticket, answer);
    mark = null;
    requireShape(ticket, known, answer, when);
    if (known != null && known.isIn() && known.end.surelyAfter(when)) {
      require(answer instanceof Standing.Granted, "a granted ticket stays granted", ticket, answer);
    }
    if (answer instanceof Standing.Granted granted) {
      granted(ticket, known, granted, when);
    } else {
      waits(ticket, known, (Standing.Waiting) answer, when);
    }
  }

  /** Requires that the ticket fits the stored shape, or that all other tickets may be gone. */
  private void requireShape(Ticket ticket, @Nullable Place known, Object answer, Span when) {
    Shape stands = shape;
    boolean same = stands != null && ticket.shape().fits(stands);
    // A ticket in line may carry the capacity of before a resize, unless it had to join again.
    boolean mayBeNew = known == null || !known.end.surelyAfter(when);
    if (stands == null || (!same && mayBeNew)) {
      boolean bound = places.stream().anyMatch(p -> binds(p, when));
      if (bound && known != null) {
        // Its lease ends about now, and it was still in line.
        return;
      }
      require(!bound, "one shape", ticket, answer);
      require(ticket.shape().capacity() != Shape.ADOPT, "nothing to adopt", ticket, answer);
      places.clear();
      shape = ticket.shape();
    }
  }

  /** Returns whether the place surely keeps the shape; waiters in order ANY may be forgotten. */
  private boolean binds(Place place, Span when) {
    boolean keeps = place.isIn() || (shape != null && shape.order() == Order.FIFO);
    return keeps && place.end.surelyAfter(when);
  }

  private void granted(Ticket ticket, @Nullable Place known, Standing.Granted answer, Span when) {
    require(!answer.validFor().isNegative(), "a grant is valid for a time", ticket, answer);
    if (known != null && known.isIn() && known.token == answer.token()) {
      known.end = end(ticket, when);
      known.weight = Math.min(known.weight, ticket.weight());
      return;
    }
    require(
        known == null || !known.isIn() || !known.end.surelyAfter(when),
        "a repeated attempt keeps its token",
        ticket,
        answer);
    boolean alone = shape != null && ticket.weight() >= shape.capacity();
    require(!alone || answer.token() > highest, "tokens rise", ticket, answer);
    Place place = known == null ? new Place(ticket, when) : known;
    boolean waited = known != null && !known.isIn();
    require(room(ticket, waited ? known : null, when, true) >= 0, "there is room", ticket, answer);
    places.remove(place);
    makeRoom(ticket, when);
    place.token = answer.token();
    place.weight = ticket.weight();
    place.end = end(ticket, when);
    places.add(firstWaiter(), place);
    highest = Math.max(highest, answer.token());
  }

  private int firstWaiter() {
    int index = 0;
    while (index < places.size() && places.get(index).isIn()) {
      index++;
    }
    return index;
  }

  private void waits(Ticket ticket, @Nullable Place known, Standing.Waiting answer, Span when) {
    Place waiting = known != null && !known.isIn() ? known : null;
    if (waiting != null) {
      // Its lease may have ended since it was asked for last: then it has joined again just now.
      waiting.mayBeFurtherBack |= !waiting.end.surelyAfter(when);
    }
    boolean free = room(ticket, waiting, when, false) >= 0;
    require(!free || isKeptForAnother(waiting), "a ticket that fits is granted", ticket, answer);
    require(!answer.retryAfter().isNegative(), "retryAfter is not negative", ticket, answer);
    if (waiting == null) {
      places.remove(known);
      if (ticket.waits()) {
        places.add(new Place(ticket, waiterEnd(ticket, when)));
      }
    } else if (ticket.waits()) {
      waiting.end = waiterEnd(ticket, when);
    } else {
      places.remove(waiting);
    }
  }

  /** Returns whether a mutex in order ANY may be reserved for another waiter. */
  private boolean isKeptForAnother(@Nullable Place me) {
    boolean others = places.stream().anyMatch(p -> p != me && !p.isIn());
    return shape != null && shape.order() == Order.ANY && others;
  }

  /** Returns the capacity left after a grant; tickets that may be gone count unless hopeful. */
  private long room(Ticket ticket, @Nullable Place waiting, Span when, boolean hopeful) {
    if (shape == null) {
      return 0;
    }
    long taken = ticket.weight();
    boolean ahead = true;
    boolean mayBeLast = waiting != null && waiting.mayBeFurtherBack;
    for (Place place : places) {
      if (place == waiting) {
        ahead = false;
        continue;
      }
      boolean counts =
          !place.id.equals(ticket.id()) && (hopeful ? place.end.surelyAfter(when) : true);
      boolean unsure = mayBeLast || place.mayBeFurtherBack;
      boolean before = hopeful ? ahead && !unsure : ahead || unsure;
      boolean inTheWay = place.isIn() || (before && shape.order() == Order.FIFO);
      taken += counts && inTheWay ? place.weight : 0;
    }
    return shape.capacity() - taken;
  }

  /** Removes the places that must be gone for the grant to be correct. */
  private void makeRoom(Ticket ticket, Span when) {
    for (Place other : List.copyOf(places)) {
      if (room(ticket, null, when, false) < 0 && !other.end.surelyAfter(when)) {
        places.remove(other);
      }
    }
  }

  void refused(Ticket ticket, EngineException.Refused refusal, Span when) {
    forget(when);
    Shape stands = shape;
    boolean adoptsNothing = ticket.shape().capacity() == Shape.ADOPT && places.isEmpty();
    boolean misfits = stands != null && !ticket.shape().fits(stands);
    boolean tooHeavy = stands != null && ticket.weight() > stands.capacity();
    boolean anyone = !places.isEmpty() || mark != null;
    require(
        adoptsNothing || ((misfits || tooHeavy) && anyone),
        "only another shape is refused",
        ticket,
        refusal);
    Place known = find(ticket);
    if (known != null && !known.isIn()) {
      places.remove(known);
    }
  }

  void renewed(Ticket ticket, Renewal answer, Span when) {
    forget(when);
    Place known = find(ticket);
    boolean surelyIn = known != null && known.isIn() && known.end.surelyAfter(when);
    boolean maybeIn = known != null && known.isIn();
    if (answer instanceof Renewal.Renewed) {
      require(maybeIn, "renew never joins, resurrects or steals", ticket, answer);
      if (known != null) {
        known.end = end(ticket, when);
      }
    } else {
      require(!surelyIn, "a granted ticket can renew", ticket, answer);
      if (maybeIn) {
        places.remove(known);
      }
    }
  }

  void left(Ticket ticket, Left answer, Span when) {
    forget(when);
    Place known = find(ticket);
    boolean waits = known != null && !known.isIn();
    switch (answer) {
      // A waiter that fits may count as granted before its next attempt.
      case HOLDING ->
          require(known != null, "only a ticket in line leaves holding", ticket, answer);
      case WAITING -> require(waits, "only a waiter leaves waiting", ticket, answer);
      case NOTHING ->
          require(
              known == null || !binds(known, when),
              "a ticket in line does not leave as unknown",
              ticket,
              answer);
    }
    places.remove(known);
  }

  void settled(Ticket ticket, Duration keep, boolean answer, Span when) {
    forget(when);
    Place known = find(ticket);
    boolean mine = mark != null && mark.maker.equals(ticket.id());
    if (answer) {
      require(mine || (known != null && known.isIn()), "only a holder settles", ticket, answer);
      if (known != null && ticket.shape().kind() == Shape.Kind.MUTEX) {
        known.end = when.plus(keep, keep.plus(slack));
      } else if (!mine) {
        mark = new Mark(ticket.id(), when.plus(keep, keep.plus(slack)));
        places.remove(known);
      }
    } else {
      boolean sure = known != null && known.isIn() && known.end.surelyAfter(when);
      require(!sure, "a holder can settle", ticket, answer);
    }
  }

  void resized(Ticket ticket, boolean answer, Span when) {
    forget(when);
    if (answer) {
      require(!places.isEmpty(), "there is a line to resize", ticket, answer);
      shape = ticket.shape();
    } else {
      boolean anyone = places.stream().anyMatch(place -> place.end.surelyAfter(when));
      require(!anyone, "a line can be resized", ticket, answer);
      places.clear();
    }
  }

  private Span waiterEnd(Ticket ticket, Span when) {
    Duration most = ticket.lease().multipliedBy(silentWaiterLeases);
    return when.plus(ticket.lease(), most.plus(slack));
  }

  private Span end(Ticket ticket, Span when) {
    return when.plus(ticket.lease(), ticket.lease().plus(slack));
  }

  private void forget(Span when) {
    places.removeIf(place -> place.end.surelyBefore(when));
    if (mark != null && mark.end.surelyBefore(when)) {
      mark = null;
    }
    if (places.isEmpty() && mark == null) {
      shape = null;
    }
  }

  private @Nullable Place find(Ticket ticket) {
    return places.stream().filter(p -> p.id.equals(ticket.id())).findFirst().orElse(null);
  }
}
