package io.holdfast.zookeeper.layout;

import io.holdfast.spi.Line;
import io.holdfast.spi.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A line as one list of children shows it.
 *
 * <p>Places are numbers that the store assigns in the order of the joins. They are compared by
 * their difference, so a store may let them wrap around; {@code PlaceLimit} handles a store that
 * does not. The shape of the line is that of the first ticket, and its capacity that of the last
 * resize after it: a joining ticket must state the capacity that is valid then, so the capacity of
 * the first ticket is valid unless a resize followed it. Resizes ahead of the first ticket belong
 * to an earlier line.
 */
public final class LineSnapshot {

  private final List<ChildName.TicketName> tickets = new ArrayList<>();
  private final List<ChildName.Resized> resizes = new ArrayList<>();
  private final List<ChildName.Reweighted> reweighted = new ArrayList<>();
  private final List<ChildName.Revoked> revocations = new ArrayList<>();
  private final List<ChildName.DoneMark> marks = new ArrayList<>();
  private final List<ChildName.Kept> kept = new ArrayList<>();

  private LineSnapshot() {}

  /** Returns the line that these children form. */
  public static LineSnapshot of(List<String> children) {
    List<ChildName> all = new ArrayList<>(children.size());
    for (String name : children) {
      all.add(ChildName.parse(name));
    }
    return ofParsed(all);
  }

  /** Returns the line that these children form, whose names are parsed already. */
  public static LineSnapshot ofParsed(List<ChildName> children) {
    LineSnapshot line = new LineSnapshot();
    for (ChildName child : children) {
      if (child instanceof ChildName.TicketName ticket) {
        line.tickets.add(ticket);
      } else if (child instanceof ChildName.Resized resized) {
        line.resizes.add(resized);
      } else if (child instanceof ChildName.Reweighted less) {
        line.reweighted.add(less);
      } else if (child instanceof ChildName.Revoked revoked) {
        line.revocations.add(revoked);
      } else if (child instanceof ChildName.DoneMark mark) {
        line.marks.add(mark);
      } else if (child instanceof ChildName.Kept record) {
        line.kept.add(record);
      }
    }
    line.tickets.sort((a, b) -> comparePlaces(a.place(), b.place()));
    line.resizes.sort((a, b) -> comparePlaces(a.place(), b.place()));
    return line;
  }

  /** Compares two places, even across the end of the numbers. */
  public static int comparePlaces(int a, int b) {
    return Integer.signum(a - b);
  }

  /** Returns all tickets in the order of their places. */
  public List<ChildName.TicketName> tickets() {
    return tickets;
  }

  /** Returns whether no ticket is in line. */
  public boolean isEmpty() {
    return tickets.isEmpty();
  }

  /** Returns the marks of finished runs. */
  public List<ChildName.DoneMark> marks() {
    return marks;
  }

  /** Returns the records about mutexes that stay without their clients. */
  public List<ChildName.Kept> kept() {
    return kept;
  }

  /** Returns the record about the mutex at this place, if it stays without its client. */
  public Optional<ChildName.Kept> keptAt(int place) {
    return kept.stream().filter(record -> record.place() == place).findFirst();
  }

  /** Returns the ticket at this place. */
  public Optional<ChildName.TicketName> ticketAt(int place) {
    return tickets.stream().filter(ticket -> ticket.place() == place).findFirst();
  }

  /** Returns all resizes in the order of their places. */
  public List<ChildName.Resized> resizes() {
    return resizes;
  }

  /**
   * Returns all nodes of a ticket: more than one if a reply was lost and the request arrived late.
   */
  public List<ChildName.TicketName> nodesOf(String id) {
    return tickets.stream().filter(ticket -> ticket.id().equals(id)).toList();
  }

  /** Returns those nodes of a ticket that do not stay without its client. */
  public List<ChildName.TicketName> removableNodesOf(String id) {
    return nodesOf(id).stream().filter(ticket -> keptAt(ticket.place()).isEmpty()).toList();
  }

  /** Returns the operator's record about the ticket at this place. */
  public Optional<ChildName.Revoked> revocationOf(int place) {
    return revocations.stream().filter(revoked -> revoked.place() == place).findFirst();
  }

  /** Operators' records about tickets that are gone. */
  public List<ChildName.Revoked> orphanedRevocations() {
    return revocations.stream()
        .filter(revoked -> tickets.stream().noneMatch(each -> each.place() == revoked.place()))
        .toList();
  }

  /**
   * Returns the shape that the first ticket gave to the resource; empty if no ticket is in line.
   */
  public Optional<Shape> shape() {
    return tickets.isEmpty() ? Optional.empty() : Optional.of(shapeBy(tickets.get(0)));
  }

  private Shape shapeBy(ChildName.TicketName first) {
    if (first.shape().kind() != Shape.Kind.SEMAPHORE || resizes.isEmpty()) {
      return first.shape();
    }
    ChildName.Resized last = resizes.get(resizes.size() - 1);
    return comparePlaces(last.place(), first.place()) > 0
        ? Shape.semaphore(last.capacity())
        : first.shape();
  }

  /**
   * Returns the resize that decides about tokens, and about the capacity if a ticket joined before
   * it.
   */
  public Optional<ChildName.Resized> lastResize() {
    return resizes.isEmpty() ? Optional.empty() : Optional.of(resizes.get(resizes.size() - 1));
  }

  /**
   * Resizes that a later one replaced. The last one stays until the line is empty, because it
   * decides about tokens: see {@link ResizeRecords}.
   */
  public List<ChildName.Resized> replacedResizes() {
    return resizes.subList(0, Math.max(0, resizes.size() - 1));
  }

  /**
   * Returns the line as tickets of one kind see it. A ticket of another kind weighs the whole
   * capacity: it is either on its way out, or it found itself first when it looked and is granted.
   * A list does not show which, so the tickets behind it wait until it is gone. It does not hinder
   * the tickets ahead of it.
   */
  public View seenAs(Shape shape) {
    int capacity =
        tickets.stream()
            .filter(ticket -> isSameKind(ticket.shape(), shape))
            .findFirst()
            .map(first -> shapeBy(first).capacity())
            .orElse(shape.capacity());
    List<Integer> weights = new ArrayList<>(tickets.size());
    for (ChildName.TicketName ticket : tickets) {
      weights.add(isSameKind(ticket.shape(), shape) ? weight(ticket) : Math.max(1, capacity));
    }
    return new View(List.copyOf(tickets), capacity, weights);
  }

  private static boolean isSameKind(Shape one, Shape other) {
    return one.kind() == other.kind() && one.order() == other.order();
  }

  /** Returns the current weight of a ticket. */
  public int weight(ChildName.TicketName ticket) {
    int weight = ticket.weight();
    for (ChildName.Reweighted less : reweighted) {
      if (less.place() == ticket.place()) {
        weight = Math.min(weight, less.weight());
      }
    }
    return weight;
  }

  /** All tickets in order, with the weights that they have for tickets of one kind. */
  public record View(List<ChildName.TicketName> tickets, int capacity, List<Integer> weights) {

    /** Returns the index of the ticket with this node; -1 if it is not in line. */
    public int indexOf(String name) {
      for (int i = 0; i < tickets.size(); i++) {
        if (tickets.get(i).name().equals(name)) {
          return i;
        }
      }
      return -1;
    }

    /** Returns how many tickets are granted. */
    public int granted() {
      return Line.in(capacity, weights);
    }

    /** Returns whether the ticket at this index is granted. */
    public boolean isGranted(int index) {
      return index < granted();
    }

    /** Returns the weight of this ticket and of all tickets ahead of it. */
    public long weightUpTo(int index) {
      return weights.subList(0, index + 1).stream().mapToLong(Integer::longValue).sum();
    }

    /** Returns the tickets of its kind behind this one that joined before this place. */
    public List<Integer> behind(int index, int place) {
      Shape mine = tickets.get(index).shape();
      return IntStream.range(index + 1, tickets.size())
          .filter(i -> isSameKind(tickets.get(i).shape(), mine))
          .filter(i -> comparePlaces(tickets.get(i).place(), place) < 0)
          .boxed()
          .toList();
    }

    /** Returns whether a ticket waits. */
    public boolean isWanted() {
      return granted() < tickets.size();
    }

    /** Returns whether one more ticket of this weight would be granted. */
    public boolean hasRoomFor(int weight) {
      List<Integer> more = new ArrayList<>(weights);
      more.add(weight);
      return Line.isIn(capacity, more, more.size() - 1);
    }

    /** Returns the ticket ahead that a waiter must watch; empty if it must watch the whole line. */
    public Optional<ChildName.TicketName> predecessorOf(int index) {
      int watched = Line.watch(capacity, weights, index);
      return watched == Line.WHOLE_LINE ? Optional.empty() : Optional.of(tickets.get(watched));
    }
  }
}
