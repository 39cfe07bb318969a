package io.holdfast.jdbc.guard;

import java.sql.SQLTransactionRollbackException;

/**
 * The last exclusive claim of a resource.
 *
 * @param token zero before the first claim
 */
record FenceRecord(long token, String holder) {

  static FenceRecord of(FenceClaim claim) {
    return new FenceRecord(claim.token(), claim.holdId());
  }

  /** Returns the error of a transaction whose snapshot is older than the record. */
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

  /** Applies the rule of every guard: a claim must be later than the last one, or be that claim. */
  boolean letsIn(long shown, String holdId) {
    return shown > token || isOf(shown, holdId);
  }
}
