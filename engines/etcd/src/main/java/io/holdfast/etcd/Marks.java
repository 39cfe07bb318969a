package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Until when marks count that this client has made or seen. A mark hangs on a lease, and a leader
 * that is new lets every lease begin anew; so each client goes by the earliest end that it knows
 * of, on its own steady clock, and takes the mark out then.
 *
 * <p>Safe for any number of threads.
 */
final class Marks {

  /**
   * A mark.
   *
   * @param written the revision that tells it from others of that name
   * @param end on this client's clock
   */
  record Mark(Resource resource, ByteString key, long written, long end) {}

  /** Beyond so many, those that have not been seen for longest go by their leases alone. */
  private static final int MOST = 1_000;

  /** Whose verb takes them out must not wait for more. */
  private static final int AT_ONCE = 20;

  /** By so much of its time the clock of this client may be ahead of the leader's. */
  private static final int DRIFT = 1_000;

  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final Map<ByteString, Mark> marks = new LinkedHashMap<>();
  private final LongSupplier nanoTime;

  Marks(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** This client has just made a mark that counts for so long. */
  void made(Resource resource, ByteString key, long written, Duration keep) {
    note(resource, key, written, keep);
  }

  /**
   * How long a mark counts that was just seen.
   *
   * @param most what its lease says
   */
  Duration left(Resource resource, KeyValue seen, Duration most) {
    long end = note(resource, seen.getKey(), seen.getModRevision(), most);
    Duration left = Duration.ofNanos(Math.max(0, end - nanoTime.getAsLong()));
    return left.compareTo(most) < 0 ? left : most;
  }

  private synchronized long note(Resource resource, ByteString key, long written, Duration most) {
    Duration time = most.compareTo(LONGEST) < 0 ? most : LONGEST;
    long end = nanoTime.getAsLong() + time.plus(time.dividedBy(DRIFT)).toNanos();
    Mark known = marks.remove(key);
    if (known != null && known.written() == written && known.end() - end < 0) {
      end = known.end();
    }
    marks.put(key, new Mark(resource, key, written, end));
    if (marks.size() > MOST) {
      marks.remove(marks.keySet().iterator().next());
    }
    return end;
  }

  /** Some of those that count no more, to be taken out now; each is answered once. */
  synchronized List<Mark> over() {
    List<Mark> over = new ArrayList<>();
    long now = nanoTime.getAsLong();
    Iterator<Mark> all = marks.values().iterator();
    while (all.hasNext() && over.size() < AT_ONCE) {
      Mark mark = all.next();
      if (mark.end() - now <= 0) {
        all.remove();
        over.add(mark);
      }
    }
    return over;
  }

  /** It could not be taken out: the next verb tries again. */
  synchronized void notTakenOut(Mark mark) {
    marks.putIfAbsent(mark.key(), mark);
  }
}
