package io.holdfast;

/** What became of a release. Whatever it is, the hold is over and nobody else's was touched. */
public enum Outcome {
  /** It was held until now, and is free or passed on. */
  RELEASED,
  /** It had been released before. */
  ALREADY_RELEASED,
  /** It had been lost before: the protected section may have met a rival. */
  LOST,
  /** The store did not answer. Freeing goes on in the background until the lease has ended. */
  UNKNOWN
}
