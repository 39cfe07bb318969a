package io.holdfast.server.security;

import java.util.Locale;

/** What a principal may do with the names that a rule of the auth file covers. */
public enum Right {
  /** Acquire, renew, release; join lines, complete runs, resize semaphores. */
  LOCK,
  /** See who holds and who waits, with the history. */
  LOOK,
  /** Revoke and evict holds, and raise the generation. */
  OPERATE,
  /** Take numbers from counters. */
  COUNT;

  /** Returns the word of the auth file. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
