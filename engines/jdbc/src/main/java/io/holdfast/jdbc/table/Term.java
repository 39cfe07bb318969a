package io.holdfast.jdbc.table;

/**
 * How long a ticket is kept. The statements of the quick ways say the same in SQL.
 *
 * @param lease the one that the end was counted with
 * @param end database time in microseconds
 */
record Term(long lease, long end) {

  /**
   * The term after a renewal, which never ends earlier than before: an answer may be lost or late,
   * and then the holder believes in the longer lease that it was told of. What is ahead of now by
   * more than that lease is nobody's belief, but a clock that went back, and is cut.
   */
  Term renewed(long now, long asked) {
    long believed = Math.min(end, now + lease);
    return now + asked >= believed ? new Term(asked, now + asked) : new Term(lease, believed);
  }
}
