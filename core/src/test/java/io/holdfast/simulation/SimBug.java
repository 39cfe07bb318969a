package io.holdfast.simulation;

/** Broken variants of the runtime, the lanes and the store that the simulation must catch. */
enum SimBug {
  NONE,
  /** Lane: what the store promised is counted from its reply. */
  DEADLINE_FROM_RESPONSE,
  /** Terms: the drift is smaller than the clocks' difference. */
  DRIFT_ONE_PERCENT,
  /** Store: any leave frees the resource. */
  RELEASE_WITHOUT_OWNER_CHECK,
  /** Store: a renewal brings an expired ticket back. */
  RENEWAL_RESURRECTS,
  /** Lane: a caller that gives up does not leave. */
  NO_LEAVE_ON_CANCEL,
  /** Store and timers: the signal is armed after the look, and no waiter looks again. */
  WATCH_WITHOUT_RECHECK,
  /** Hand-over: the next hold gets the same token. */
  TOKEN_NOT_BUMPED_ON_HAND_OVER,
  /** Store: an attempt that arrives after its leave joins. */
  LATE_ATTEMPT_JOINS,
  /** Lane and store: two joins of one resource in one transaction both see themselves first. */
  TWO_ATTEMPTS_IN_A_BATCH,
  /** Hand-over: a claim is passed on though its leave is on the way. */
  HAND_OVER_AFTER_LEAVE,
  /** Hand-over: a client keeps what other clients want. */
  NEVER_YIELDS,
  /** Store: the last to come is the first to get in. */
  LIFO_LINE,
  /** Store: a repeated attempt of a granted ticket is a new grant. */
  REPEATED_ATTEMPT_MINTS,
  /** Store: the token counter starts at zero when the store lost its memory. */
  TOKENS_FORGOTTEN,
  /** Store: a waiter that died stays in line. */
  DEAD_WAITER_STAYS,
  /** Lane: a grant that came by a signal is counted from its arrival. */
  GRANT_FROM_ARRIVAL,
  /** Lane: a grant that came by a signal is taken for one of the last attempt. */
  GRANT_OF_ANOTHER_ATTEMPT,
  /** Clocks: a suspension before the reply is forgotten. */
  ANCHOR_AT_ANSWER,
  /** Clocks: a suspension before the signal that reports a grant is forgotten. */
  ANCHOR_AT_SIGNAL,
  /** Lane: a ticket without a waiting caller is requested again and again. */
  GHOST_WAITER,
  /** Store: another weight than asked for is granted. */
  CAPACITY_IGNORED
}
