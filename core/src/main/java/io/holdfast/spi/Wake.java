package io.holdfast.spi;

/**
 * "Ask again": a hint without facts. It may come too often, late or never, from any thread; it does
 * not block and does not throw.
 */
@FunctionalInterface
public interface Wake {

  /** Tells the waiting side to look again. The engine holds no lock of its own while it calls. */
  void wake();
}
