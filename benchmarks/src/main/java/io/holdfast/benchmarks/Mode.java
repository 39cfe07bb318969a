package io.holdfast.benchmarks;

/** Who asks for what. */
enum Mode {
  /** Every thread has a name of its own: nobody is in the way of anybody. */
  OWN,
  /** All threads of one process want one name. */
  SHARED,
  /** The threads of several processes want one name. */
  PROCESSES,
  /** One thread takes and gives back its own name while many other names stay held. */
  HELD
}
