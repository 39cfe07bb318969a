package io.holdfast.etcd.session;

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
 * The marks that this client has made or seen, and when each ends.
 *
 * <p>A mark is attached to a lease, and a new leader starts every lease from its full time. So each
 * client uses the earliest end that it knows of, on its own steady clock, and removes the mark
 * then.
 *
 * <p>Safe for use by several threads.
 */
public final class MarkTable {

  /**
   * A mark.
   *
   * @param written the revision that distinguishes it from other marks of that name
   * @param end on this client's clock
   */
  public record Mark(Resource resource, ByteString key, long written, long end) {}

  /** With more marks than this, the least recently seen ones end with their leases alone. */
  private static final int MOST = 1_000;

  /** How many are removed together with one batch of verbs. */
  private static final int AT_ONCE = 20;

  /** This part of its time the clock of this client may be ahead of the leader's. */
  private static final int DRIFT = 1_000;

  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final Map<ByteString, Mark> marks = new LinkedHashMap<>();
  private final LongSupplier nanoTime;

  /** An empty table. */
  public MarkTable(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Records that this client has just made a mark that counts for so long. */
  public void made(Resource resource, ByteString key, long written, Duration keep) {
    note(resource, key, written, keep);
  }

  /**
   * Returns how long a mark that was just read still counts.
   *
   * @param most what is left according to its lease
   */
  public Duration left(Resource resource, KeyValue seen, Duration most) {
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

  /** Returns some marks whose time is over, to be removed now; each is returned once. */
  public synchronized List<Mark> takeExpired() {
    List<Mark> expired = new ArrayList<>();
    long now = nanoTime.getAsLong();
    Iterator<Mark> all = marks.values().iterator();
    while (all.hasNext() && expired.size() < AT_ONCE) {
      Mark mark = all.next();
      if (mark.end() - now <= 0) {
        all.remove();
        expired.add(mark);
      }
    }
    return expired;
  }

  /** The mark could not be removed: the next verb tries again. */
  public synchronized void notRemoved(Mark mark) {
    marks.putIfAbsent(mark.key(), mark);
  }
}
