package io.holdfast.cli.bench;

import java.util.Locale;

/** Which threads and processes ask for which names. */
public enum LoadMode {
  /** Every thread has a name of its own: nobody is in the way of anybody. */
  OWN,
  /** The same, but every tenth name or so is wanted by two. */
  MIXED,
  /** All threads of one process want one name. */
  SHARED,
  /** The threads of several processes want one name. */
  PROCESSES,
  /** Every thread of several processes has a name of its own. */
  PROCESSES_OWN,
  /** One thread takes and gives back its own name while many other names stay held. */
  HELD,
  /** Processes that have just started take their first lock, one after another. */
  COLD;

  /** What options and reports call it. */
  public String word() {
    return word(this);
  }

  /** What options call the constant of an enum. */
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether there are other processes than this one. */
  public boolean hasProcesses() {
    return this == PROCESSES || this == PROCESSES_OWN;
  }
}
