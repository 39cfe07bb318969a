package io.holdfast.tck;

/** What can happen to one verb on its way to the store and back. */
enum Fault {
  /** It is executed and answered. */
  NONE,
  /** It is turned away before it reaches the store. */
  NOT_DONE,
  /** It never reaches the store, and nobody can tell. */
  LOST_REQUEST,
  /** It is executed, and the answer gets lost. */
  LOST_REPLY,
  /** It is executed twice; the first answer comes back. */
  DOUBLED,
  /** It is not answered, and reaches the store when late verbs are delivered. */
  LATE,
  /** The store says no, for good. */
  REFUSED
}
