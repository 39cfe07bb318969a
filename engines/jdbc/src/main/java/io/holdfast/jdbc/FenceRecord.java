package io.holdfast.jdbc;

import java.sql.SQLTransactionRollbackException;

/**
 * The last exclusive claim of a resource.
 *
 * @param token zero when nobody has claimed yet
 */
record FenceRecord(long token, String holder) {

  static FenceRecord of(FenceClaim claim) {
    return new FenceRecord(claim.token(), claim.holdId());
  }

  /** For a transaction whose view of the data is older than the record, or that saw it vanish. */
  static SQLTransactionRollbackException unseen(Object what) {
    return new SQLTransactionRollbackException(
        "the fence record of "
            + what
            + " came or went since this transaction began; roll back and begin again",
        "40001");
  }

  boolean isOf(long shown, String holdId) {
    return token == shown && holder.equals(holdId);
  }

  /** The rule of every guard: later than the last claim, or that claim itself. */
  boolean letsIn(long shown, String holdId) {
    return shown > token || isOf(shown, holdId);
  }
}
