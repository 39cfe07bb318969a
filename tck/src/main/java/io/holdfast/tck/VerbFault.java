package io.holdfast.tck;

/** What happens to one verb on its way to the store and back. */
enum VerbFault {
  /** No fault: it is executed and its result returned. */
  NONE,
  /** It fails before it reaches the store. */
  NOT_DONE,
  /** It never reaches the store; the outcome is unknown. */
  LOST_REQUEST,
  /** It is executed, and the reply is lost. */
  LOST_REPLY,
  /** It is executed twice; the first result is returned. */
  DOUBLED,
  /** It has no result, and reaches the store when late verbs are delivered. */
  LATE,
  /** The store refuses it. */
  REFUSED
}
