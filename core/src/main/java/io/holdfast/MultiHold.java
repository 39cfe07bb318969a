package io.holdfast;

import java.util.List;
import java.util.Map;

/** Several holds that are acquired and released together. */
public interface MultiHold extends AutoCloseable {

  /** Returns the fencing token of each name. */
  Map<String, Long> tokens();

  /** Returns the holds, in the order in which they were acquired. */
  List<Hold> holds();

  /** Returns whether all of them are held. */
  boolean isHeld();

  /** Returns if {@link #isHeld()}; otherwise throws as {@link Hold#ensureHeld()}. */
  void ensureHeld();

  /** Releases all holds in reverse order; returns the worst outcome. */
  Outcome release();

  /** {@link #release()}; throws {@link LockLostException} if a hold was lost. */
  @Override
  void close();
}
