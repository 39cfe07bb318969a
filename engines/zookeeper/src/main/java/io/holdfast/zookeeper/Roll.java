package io.holdfast.zookeeper;

import io.holdfast.spi.Line;
import io.holdfast.spi.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A line as one list of children shows it.
 *
 * <p>Places are numbers that the store gives out in the order of the joins. They are compared by
 * their difference, so that a store may let them wrap; see {@link Places} for one that does not.
 * The shape is that of the first ticket, and its capacity that of the last resize after it: a
 * ticket that joins must state what stands then, so the first one's word is good unless somebody
 * resized since. Resizes before the first ticket are of a line that is over.
 */
final class Roll {

  private final List<Child.Seat> seats = new ArrayList<>();
  private final List<Child.Resized> resizes = new ArrayList<>();
  private final List<Child.Shrunk> shrunk = new ArrayList<>();
  private final List<Child.Revoked> revoked = new ArrayList<>();
  private final List<Child.Mark> marks = new ArrayList<>();

  private Roll() {}

  static Roll of(List<String> children) {
    List<Child> all = new ArrayList<>(children.size());
    for (String name : children) {
      all.add(Child.of(name));
    }
    return ofAll(all);
  }

  /** Of children whose names are taken apart. */
  static Roll ofAll(List<Child> children) {
    Roll roll = new Roll();
    for (Child child : children) {
      if (child instanceof Child.Seat seat) {
        roll.seats.add(seat);
      } else if (child instanceof Child.Resized resized) {
        roll.resizes.add(resized);
      } else if (child instanceof Child.Shrunk less) {
        roll.shrunk.add(less);
      } else if (child instanceof Child.Revoked word) {
        roll.revoked.add(word);
      } else if (child instanceof Child.Mark mark) {
        roll.marks.add(mark);
      }
    }
    roll.seats.sort((a, b) -> order(a.place(), b.place()));
    roll.resizes.sort((a, b) -> order(a.place(), b.place()));
    return roll;
  }

  /** Which of two places comes first, also across the end of numbers. */
  static int order(int a, int b) {
    return Integer.signum(a - b);
  }

  List<Child.Seat> seats() {
    return seats;
  }

  List<Child.Mark> marks() {
    return marks;
  }

  List<Child.Resized> resizes() {
    return resizes;
  }

  /** Every seat of a ticket: more than one if a reply got lost and the request was late. */
  List<Child.Seat> of(String id) {
    return seats.stream().filter(seat -> seat.id().equals(id)).toList();
  }

  /** An operator's word to the ticket at this place. */
  Optional<Child.Revoked> revoked(int place) {
    return revoked.stream().filter(word -> word.place() == place).findFirst();
  }

  /** Words to tickets that are gone. */
  List<Child.Revoked> orphans() {
    return revoked.stream()
        .filter(word -> seats.stream().noneMatch(seat -> seat.place() == word.place()))
        .toList();
  }

  /** What the first ticket made of the resource, if there is one. */
  Optional<Shape> shape() {
    return seats.isEmpty() ? Optional.empty() : Optional.of(shapeBy(seats.get(0)));
  }

  private Shape shapeBy(Child.Seat first) {
    if (first.shape().kind() != Shape.Kind.SEMAPHORE || resizes.isEmpty()) {
      return first.shape();
    }
    Child.Resized last = resizes.get(resizes.size() - 1);
    return order(last.place(), first.place()) > 0
        ? Shape.semaphore(last.capacity())
        : first.shape();
  }

  /** The resize that counts for tokens, and for the size if somebody joined before it. */
  Optional<Child.Resized> lastResize() {
    return resizes.isEmpty() ? Optional.empty() : Optional.of(resizes.get(resizes.size() - 1));
  }

  /**
   * Resizes before another one: they count no more. The last one stays until the line is empty, as
   * tokens go by it: see {@link SizeRecords}.
   */
  List<Child.Resized> oldResizes() {
    return resizes.subList(0, Math.max(0, resizes.size() - 1));
  }

  /**
   * The line as tickets of one kind see it. One of another kind takes everything: it is on its way
   * out, or it found itself first when it looked, and is in. Which of the two, a list does not
   * tell, so those behind it wait until it is gone. It is in nobody's way ahead of it.
   */
  View as(Shape shape) {
    int capacity =
        seats.stream()
            .filter(seat -> isAlike(seat.shape(), shape))
            .findFirst()
            .map(first -> shapeBy(first).capacity())
            .orElse(shape.capacity());
    List<Integer> weights = new ArrayList<>(seats.size());
    for (Child.Seat seat : seats) {
      weights.add(isAlike(seat.shape(), shape) ? weight(seat) : Math.max(1, capacity));
    }
    return new View(List.copyOf(seats), capacity, weights);
  }

  private static boolean isAlike(Shape one, Shape other) {
    return one.kind() == other.kind() && one.order() == other.order();
  }

  /** What a ticket weighs now. */
  int weight(Child.Seat seat) {
    int weight = seat.weight();
    for (Child.Shrunk less : shrunk) {
      if (less.place() == seat.place()) {
        weight = Math.min(weight, less.weight());
      }
    }
    return weight;
  }

  /** All tickets in order, with what they weigh for those of one kind. */
  record View(List<Child.Seat> seats, int capacity, List<Integer> weights) {

    int indexOf(String name) {
      for (int i = 0; i < seats.size(); i++) {
        if (seats.get(i).name().equals(name)) {
          return i;
        }
      }
      return -1;
    }

    /** How many are in. */
    int in() {
      return Line.in(capacity, weights);
    }

    boolean isIn(int index) {
      return index < in();
    }

    /** The weight of this one and of all ahead of it. */
    long taken(int index) {
      return weights.subList(0, index + 1).stream().mapToLong(Integer::longValue).sum();
    }

    /** Those of its kind behind this one that joined before this place. */
    List<Integer> behind(int index, int place) {
      Shape mine = seats.get(index).shape();
      return IntStream.range(index + 1, seats.size())
          .filter(i -> isAlike(seats.get(i).shape(), mine))
          .filter(i -> order(seats.get(i).place(), place) < 0)
          .boxed()
          .toList();
    }

    /** Whether somebody is in line and not in. */
    boolean wanted() {
      return in() < seats.size();
    }

    /** Whether one more with this weight would be in. */
    boolean hasRoomFor(int weight) {
      List<Integer> more = new ArrayList<>(weights);
      more.add(weight);
      return Line.isIn(capacity, more, more.size() - 1);
    }

    /** Whom to watch: one ahead, or nobody in particular. */
    Optional<Child.Seat> watched(int index) {
      int watched = Line.watch(capacity, weights, index);
      return watched == Line.WHOLE_LINE ? Optional.empty() : Optional.of(seats.get(watched));
    }
  }
}
