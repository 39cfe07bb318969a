package io.holdfast.spi;

/** The promises of a store, which a program can require when it starts. */
public enum Guarantee {
  /** Every later exclusive grant of a resource has a larger token. */
  FENCING,
  /** Mutexes can be granted strictly in order. */
  FIFO,
  /** Semaphores and read/write locks are supported. */
  SHARED,
  /** Waiters are signalled; without it they poll. */
  SIGNALS,
  /** Leases are counted on a clock that does not step. */
  STEADY_LEASES,
  /** Several processes see the same locks. */
  ACROSS_PROCESSES,
  /** Tokens keep rising after a restart of the store. */
  TOKENS_SURVIVE_RESTART,
  /** After a restart of the store, no rival is granted next to an earlier confirmed grant. */
  EXCLUSION_SURVIVES_RESTART,
  /** Tokens keep rising after a replica took over. */
  TOKENS_SURVIVE_FAILOVER,
  /** After a replica took over, no rival is granted next to an earlier confirmed grant. */
  EXCLUSION_SURVIVES_FAILOVER,
  /**
   * Any process that has a ticket may attempt, renew, settle and leave it, even after the engine
   * that joined it was {@linkplain LockEngine#detach detached}.
   */
  PORTABLE_TICKETS
}
