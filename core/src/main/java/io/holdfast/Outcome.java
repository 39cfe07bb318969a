package io.holdfast;

/** The result of a release. In every case the hold is over, and no other hold was affected. */
public enum Outcome {
  /** It was held until now, and is free or handed over. */
  RELEASED,
  /** It had been released before. */
  ALREADY_RELEASED,
  /** It had been lost before: a rival may have entered the protected section. */
  LOST,
  /**
   * The store did not reply. The release is retried in the background until the lease has ended.
   */
  UNKNOWN
}
