package io.holdfast.micrometer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Limits the number of different tags: the first ones are kept, all later ones are one. */
final class BoundedTags {

  /** What every tag above the limit becomes. */
  static final String OTHER = "other";

  private final int most;
  private final Map<String, String> kept = new ConcurrentHashMap<>();

  BoundedTags(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("maxTags must be at least 1: maxTags=" + most);
    }
    this.most = most;
  }

  int most() {
    return most;
  }

  /** Returns the tag, or {@value #OTHER} when it is new and the limit is reached. */
  String of(String tag) {
    String known = kept.get(tag);
    if (known != null) {
      return known;
    }
    // Looked at without the lock too, so that a program over the limit does not queue up here.
    return kept.size() >= most ? OTHER : keep(tag);
  }

  private synchronized String keep(String tag) {
    if (kept.containsKey(tag) || kept.size() < most) {
      kept.put(tag, tag);
      return tag;
    }
    return OTHER;
  }
}
