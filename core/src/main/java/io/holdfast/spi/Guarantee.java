package io.holdfast.spi;

/** What a store promises, in words a program can ask for at its start. */
public enum Guarantee {
  /** Every later exclusive grant of a resource has a larger token. */
  FENCING,
  /** Mutexes can be taken strictly in order. */
  FIFO,
  /** Semaphores and read/write locks are there. */
  SHARED,
  /** Waiters are signalled; without it they ask again and again, politely. */
  SIGNALS,
  /** Leases are counted on a clock that does not step. */
  STEADY_LEASES,
  /** Several processes see the same locks. */
  ACROSS_PROCESSES,
  /** Tokens go on rising after the store was restarted. */
  TOKENS_SURVIVE_RESTART,
  /** After the store was restarted nobody gets in beside a grant that was answered before. */
  EXCLUSION_SURVIVES_RESTART,
  /** Tokens go on rising after a replica took over. */
  TOKENS_SURVIVE_FAILOVER,
  /** After a replica took over nobody gets in beside a grant that was answered before. */
  EXCLUSION_SURVIVES_FAILOVER,
  /**
   * Any process that has a ticket may attempt, renew and leave it, even after the engine that
   * joined it was {@linkplain LockEngine#detach detached}.
   */
  PORTABLE_TICKETS
}
