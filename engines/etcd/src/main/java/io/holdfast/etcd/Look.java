package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.holdfast.etcd.wire.Watches.Watched;
import io.holdfast.spi.Line;
import io.holdfast.spi.Shape;
import java.util.List;

/**
 * How one looks at a line, as a part of a transaction. Where one after another is let in: at the
 * first and at the one just ahead, however long the line is. Else at all of it.
 */
final class Look {

  /** How many parts of a transaction a look is. */
  static final int PARTS = 2;

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
            Ops.oldest(keys.line(), 1), Ops.latest(keys.line(), revision, revision == 0 ? 2 : 1))
        : List.of(Ops.oldest(keys.line(), 0), Ops.get(keys.head()));
  }

  /** As {@link #ops}, for one that is in, if it is still there, and watches nobody. */
  List<RequestOp> opsFromWithin() {
    return Seats.oneAtATime(shape) ? List.of(Ops.oldest(keys.line(), 1)) : ops(0);
  }

  /** The line as those parts have shown it. */
  Seats seats(List<ResponseOp> answers) {
    Shape now = shape;
    if (shape.kind() == Shape.Kind.SEMAPHORE) {
      RangeResponse head = answers.get(1).getResponseRange();
      now = head.getKvsCount() > 0 ? Shape.semaphore(Head.capacity(head.getKvs(0))) : shape;
    }
    return Seats.read(now, answers.get(0).getResponseRange());
  }

  /** Whose going a ticket that is not in must see. */
  Watched watch(List<ResponseOp> answers, Seats seats, int index) {
    if (Seats.oneAtATime(shape)) {
      for (KeyValue latest : answers.get(1).getResponseRange().getKvsList()) {
        if (!latest.getKey().equals(own)) {
          return new Watched(latest.getKey(), ByteString.EMPTY);
        }
      }
    } else if (shape.kind() == Shape.Kind.READ_WRITE) {
      int watched = Line.watch(seats.shape().capacity(), seats.weights(), index);
      if (watched != Line.WHOLE_LINE) {
        return new Watched(seats.seats().get(watched).key(), ByteString.EMPTY);
      }
    }
    Keys.Range all = keys.lineAndHead();
    return new Watched(all.from(), all.to());
  }
}
