package io.holdfast.jdbc.table.layout;

/**
 * The end of a lease and the length it was counted with. The fast paths compute the same in SQL.
 *
 * @param lease the lease that the end was counted with
 * @param end database time in microseconds
 */
public record LeaseEnd(long lease, long end) {

  /**
   * Returns the end after a renewal, never earlier than before: a reply may be lost or late, and
   * then the holder relies on the longer lease that was confirmed before. An end that is ahead of
   * now by more than the lease comes from a clock that went back, and is cut.
   */
  public LeaseEnd renewed(long now, long asked) {
    long believed = Math.min(end, now + lease);
    return now + asked >= believed
        ? new LeaseEnd(asked, now + asked)
        : new LeaseEnd(lease, believed);
  }
}
