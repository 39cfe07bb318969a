package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.holdfast.etcd.wire.Watched;
import io.holdfast.spi.Line;
import io.holdfast.spi.Shape;
import java.util.List;
import java.util.Set;

/**
 * How one looks at a line, as a part of a transaction. Where one after another is let in: at the
 * first and at a few just ahead, however long the line is. Else at all of it.
 */
final class Look {

  /** How many parts of a transaction a look is. */
  static final int PARTS = 2;

  /**
   * Whoever has at most so many ahead watches them all go, and need not ask then. In a longer line
   * all of it would be told to all who wait; there one watches only the one just ahead.
   */
  private static final int FEW = 16;

  private final Keys keys;
  private final Shape shape;
  private final ByteString own;

  Look(Keys keys, Shape shape, ByteString own) {
    this.keys = keys;
    this.shape = shape;
    this.own = own;
  }

  /** Parts of a transaction; the revision at which the ticket joined, or 0 if it does so in it. */
  List<RequestOp> ops(long revision) {
    return Seats.oneAtATime(shape)
        ? List.of(
            Ops.oldest(keys.line(), 1),
            Ops.latest(keys.line(), revision, revision == 0 ? FEW + 1 : FEW))
        : List.of(Ops.oldest(keys.line(), 0), Ops.get(keys.head()));
  }

  /** As {@link #ops}, for one that is in, if it is still there, and watches nobody. */
  List<RequestOp> opsFromWithin() {
    return Seats.oneAtATime(shape) ? List.of(Ops.oldest(keys.line(), 1)) : ops(0);
  }

  /** The line as those parts have shown it. */
  Seats seats(List<ResponseOp> answers) {
    RangeResponse line = answers.get(0).getResponseRange();
    if (shape.kind() == Shape.Kind.SEMAPHORE) {
      RangeResponse head = answers.get(1).getResponseRange();
      if (head.getKvsCount() > 0) {
        Head.Size size = Head.size(head.getKvs(0));
        return Seats.read(Shape.semaphore(size.permits()), line, size);
      }
    }
    return Seats.read(shape, line, Head.Size.NONE);
  }

  /** Whose going a ticket that is not in must see. */
  Watched watch(List<ResponseOp> answers, Seats seats, int index) {
    if (Seats.oneAtATime(shape)) {
      RangeResponse latest = answers.get(1).getResponseRange();
      List<ByteString> ahead =
          latest.getKvsList().stream().map(KeyValue::getKey).filter(k -> !k.equals(own)).toList();
      if (!ahead.isEmpty() && latest.getMore()) {
        return Watched.key(ahead.get(0));
      } else if (!ahead.isEmpty()) {
        Keys.Range line = keys.line();
        return Watched.departures(line.from(), line.to(), own, Set.copyOf(ahead));
      }
    } else if (shape.kind() == Shape.Kind.READ_WRITE) {
      int watched = Line.watch(seats.shape().capacity(), seats.weights(), index);
      if (watched != Line.WHOLE_LINE) {
        return Watched.key(seats.seats().get(watched).key());
      }
    }
    Keys.Range all = keys.lineAndHead();
    return Watched.range(all.from(), all.to());
  }
}
