package io.holdfast.zookeeper;

import java.nio.charset.StandardCharsets;

/**
 * The last exclusive claim of a resource, or one that wants to be it.
 *
 * @param token the whole token; 0: nobody has claimed yet
 */
record FenceRecord(long token, String holdId) {

  static final FenceRecord NONE = new FenceRecord(0, "");

  FenceRecord {
    if (token < 0) {
      throw new IllegalArgumentException("token must be >= 1: token=" + token);
    }
  }

  /** Whether it may claim after that one, or work beside others since that one. */
  boolean passes(FenceRecord stored) {
    return token > stored.token || equals(stored);
  }

  byte[] text() {
    return (token + "\n" + holdId).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads what {@link #text} wrote; an empty record is nobody's.
   *
   * @throws IllegalArgumentException when it is nothing of ours
   */
  static FenceRecord read(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    if (text.isEmpty()) {
      return NONE;
    }
    int end = text.indexOf('\n');
    if (end < 0 || !text.substring(0, end).matches("\\d{1,19}")) {
      throw new IllegalArgumentException("not a fence record");
    }
    return new FenceRecord(Long.parseLong(text.substring(0, end)), text.substring(end + 1));
  }
}
