package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.RangeResponse;
import io.holdfast.spi.Line;
import io.holdfast.spi.Shape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line as a look has shown it, in the order in which its tickets joined. Of one that lets in one
 * at a time only the first may be there: that is all that a look needs.
 *
 * @param total how many are in line
 * @param size what stands at the head of a semaphore's line
 */
record Seats(Shape shape, List<Seat> seats, long total, Head.Size size) {

  static Seats read(Shape shape, RangeResponse line, Head.Size size) {
    List<Seat> seats = line.getKvsList().stream().map(Seat::read).toList();
    return new Seats(shape, seats, line.getCount(), size);
  }

  /** A line of one, who found nobody there. */
  static Seats of(Shape shape, Seat only) {
    return new Seats(shape, List.of(only), 1, Head.Size.NONE);
  }

  /** The same line with another record of one of its tickets. */
  Seats with(Seat changed) {
    List<Seat> all =
        seats.stream().map(seat -> seat.key().equals(changed.key()) ? changed : seat).toList();
    return new Seats(shape, all, total, size);
  }

  /** Whether one after another is let in, so that the first alone matters. */
  static boolean oneAtATime(Shape shape) {
    return shape.kind() == Shape.Kind.MUTEX || shape.kind() == Shape.Kind.ONCE;
  }

  int indexOf(ByteString key) {
    for (int i = 0; i < seats.size(); i++) {
      if (seats.get(i).key().equals(key)) {
        return i;
      }
    }
    return -1;
  }

  @Nullable Seat find(ByteString key) {
    int index = indexOf(key);
    return index < 0 ? null : seats.get(index);
  }

  /** Whether the ticket at this index is in, whether it knows already or not. */
  boolean isIn(int index) {
    if (oneAtATime(shape)) {
      return index == 0;
    }
    if (shape.kind() == Shape.Kind.READ_WRITE) {
      return Line.isIn(shape.capacity(), weights(), index);
    }
    return seats.get(index).granted() || hasRoom(index);
  }

  /*
   * Why permits that are out never exceed the size at which one was let in, though the look and the
   * writing are two steps: the writing demands the very head of the look. Take the furthest back of
   * those let in since that head was written. Nobody joins ahead of it, so its look counted all
   * others let in since then, and all let in before, ahead of it or behind. And there was room.
   */

  /**
   * Whether a waiter for permits fits beside all ahead of it, and those behind it that are in:
   * these are there after a resize to less.
   */
  boolean hasRoom(int index) {
    long taken = 0;
    for (int i = 0; i < seats.size(); i++) {
      Seat seat = seats.get(i);
      taken += i <= index || seat.granted() ? seat.weight() : 0;
    }
    return taken <= shape.capacity();
  }

  /** Whether somebody waits: all that are not in. */
  boolean isWanted() {
    if (oneAtATime(shape)) {
      return total > 1;
    }
    if (shape.kind() == Shape.Kind.READ_WRITE) {
      return Line.in(shape.capacity(), weights()) < seats.size();
    }
    return seats.stream().anyMatch(seat -> !seat.granted());
  }

  List<Integer> weights() {
    return seats.stream().map(Seat::weight).toList();
  }
}
