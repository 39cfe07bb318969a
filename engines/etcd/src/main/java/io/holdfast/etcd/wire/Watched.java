package io.holdfast.etcd.wire;

import com.google.protobuf.ByteString;
import java.util.Set;

/**
 * What a ticket watches.
 *
 * @param end of a range, or empty for one key
 * @param own the ticket's key, where those ahead of it are known, or where it is in
 * @param ahead all that are ahead of it in the range; empty when they are not known
 * @param joins whether keys that are new count
 */
public record Watched(
    ByteString key, ByteString end, ByteString own, Set<ByteString> ahead, boolean joins) {

  public Watched {
    ahead = Set.copyOf(ahead);
  }

  /** One key: any change of it wakes. */
  public static Watched key(ByteString key) {
    return new Watched(key, ByteString.EMPTY, ByteString.EMPTY, Set.of(), true);
  }

  /** A range: any change wakes, but for keys that are new. */
  public static Watched range(ByteString from, ByteString to) {
    return new Watched(from, to, ByteString.EMPTY, Set.of(), false);
  }

  /** The line that a ticket is in: any change counts, and one of its own key wakes. */
  public static Watched held(ByteString from, ByteString to, ByteString own) {
    return new Watched(from, to, own, Set.of(), true);
  }

  /** The key of a ticket that is in, where the rest of its line does not matter. */
  public static Watched held(ByteString own) {
    return held(own, ByteString.EMPTY, own);
  }

  /** A range, of which only departures count: the last of those ahead wakes. */
  public static Watched departures(
      ByteString from, ByteString to, ByteString own, Set<ByteString> ahead) {
    return new Watched(from, to, own, ahead, false);
  }

  /** Whether tickets of one client share the watch. */
  boolean isShared() {
    return !ahead.isEmpty();
  }

  /** Whether it is watched for one who is in. */
  boolean isHeld() {
    return !own.isEmpty() && !isShared();
  }

  /** What the server is asked for. */
  Watched asAsked() {
    return isShared() ? new Watched(key, end, ByteString.EMPTY, Set.of(key), false) : this;
  }
}
