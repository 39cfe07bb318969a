package io.holdfast;

import java.util.List;
import java.util.Map;

/** Several holds that come and go together. */
public interface MultiHold extends AutoCloseable {

  /** The fencing token of each name. */
  Map<String, Long> tokens();

  /** The holds, in the order in which they were taken. */
  List<Hold> holds();

  /** Whether all of them are held. */
  boolean isHeld();

  /** Returns if {@link #isHeld()}, else throws what {@link Hold#ensureHeld()} of one throws. */
  void ensureHeld();

  /** Releases all in reverse order; answers the worst outcome. */
  Outcome release();

  /** {@link #release()}; throws {@link LockLostException} if one was lost. */
  @Override
  void close();
}
