package io.holdfast.etcd.signals;

import com.google.protobuf.ByteString;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.etcd.layout.LineSnapshot;
import io.holdfast.spi.Line;
import io.holdfast.spi.Shape;
import java.util.List;
import java.util.Set;

/**
 * What one ticket watches, and which events concern it.
 *
 * @param end of a range, or empty for one key
 * @param own the ticket's key, if those ahead of it are known, or if it is in
 * @param ahead all keys ahead of it in the range; empty if they are not known
 * @param joins whether new keys count
 */
public record WatchTarget(
    ByteString key, ByteString end, ByteString own, Set<ByteString> ahead, boolean joins) {

  public WatchTarget {
    ahead = Set.copyOf(ahead);
  }

  /**
   * What a waiter watches: all tickets ahead if they are few, otherwise only the ticket that it
   * must wait for, or the whole line.
   *
   * @param index its place in the snapshot, or -1
   */
  public static WatchTarget ofWaiter(Keys keys, LineSnapshot line, int index, ByteString own) {
    Shape shape = line.shape();
    if (LineSnapshot.admitsOneAtATime(shape)) {
      List<ByteString> ahead = line.justAhead().stream().filter(k -> !k.equals(own)).toList();
      if (!ahead.isEmpty() && line.moreAhead()) {
        return key(ahead.get(0));
      } else if (!ahead.isEmpty()) {
        Keys.Range range = keys.line();
        return departures(range.from(), range.to(), own, Set.copyOf(ahead));
      }
    } else if (shape.kind() == Shape.Kind.READ_WRITE) {
      int watched = Line.watch(shape.capacity(), line.weights(), index);
      if (watched != Line.WHOLE_LINE) {
        return key(line.tickets().get(watched).key());
      }
    }
    Keys.Range all = keys.lineAndHead();
    return range(all.from(), all.to());
  }

  /** One key: any change of it wakes the ticket. */
  public static WatchTarget key(ByteString key) {
    return new WatchTarget(key, ByteString.EMPTY, ByteString.EMPTY, Set.of(), true);
  }

  /** A range: any change wakes the ticket, except new keys. */
  public static WatchTarget range(ByteString from, ByteString to) {
    return new WatchTarget(from, to, ByteString.EMPTY, Set.of(), false);
  }

  /** The line of a ticket that is in: any change counts; a change of its own key wakes it. */
  public static WatchTarget held(ByteString from, ByteString to, ByteString own) {
    return new WatchTarget(from, to, own, Set.of(), true);
  }

  /** The key of a ticket that is in, if the rest of its line does not matter. */
  public static WatchTarget held(ByteString own) {
    return held(own, ByteString.EMPTY, own);
  }

  /** A range of which only departures count: that of the last key ahead wakes the ticket. */
  public static WatchTarget departures(
      ByteString from, ByteString to, ByteString own, Set<ByteString> ahead) {
    return new WatchTarget(from, to, own, ahead, false);
  }

  /** Whether the tickets of one client share the watch. */
  boolean isShared() {
    return !ahead.isEmpty();
  }

  /** Whether the ticket is in. */
  public boolean isHeld() {
    return !own.isEmpty() && !isShared();
  }

  /** What the server is asked to watch. */
  WatchTarget atServer() {
    return isShared() ? new WatchTarget(key, end, ByteString.EMPTY, Set.of(key), false) : this;
  }
}
