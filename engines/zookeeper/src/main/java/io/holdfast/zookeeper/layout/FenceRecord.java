package io.holdfast.zookeeper.layout;

import java.nio.charset.StandardCharsets;

/**
 * An exclusive claim of a resource, stored or new.
 *
 * @param token the whole token; 0: the resource was never claimed
 */
public record FenceRecord(long token, String holdId) {

  private static final FenceRecord NONE = new FenceRecord(0, "");

  /** Rejects negative tokens. */
  public FenceRecord {
    if (token < 0) {
      throw new IllegalArgumentException("token must be >= 1: token=" + token);
    }
  }

  /** Returns whether this hold may write after the stored claim. */
  public boolean passes(FenceRecord stored) {
    return token > stored.token || equals(stored);
  }

  /** Returns the data of the record's node. */
  public byte[] text() {
    return (token + "\n" + holdId).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Parses what {@link #text} wrote; empty data means that the resource was never claimed.
   *
   * @throws IllegalArgumentException when the data was written by another program
   */
  static FenceRecord parse(byte[] data) {
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
