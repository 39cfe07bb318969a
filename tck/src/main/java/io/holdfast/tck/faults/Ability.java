package io.holdfast.tck.faults;

/** A fault that a scenario needs to inflict on one {@link FaultClient}. */
public enum Ability {
  /** {@link FaultClient#kill()}. */
  KILL,
  /** {@link FaultClient#freeze()} and {@link FaultClient#resume()}. */
  FREEZE,
  /** {@link FaultClient#suspend()} and {@link FaultClient#resume()}. */
  SUSPEND,
  /** {@link FaultClient#cut} and {@link FaultClient#heal()}. */
  CUT,
  /** {@link FaultClient#stepClock}. */
  CLOCK
}
