package io.holdfast.jdbc.kept;

import io.holdfast.spi.EngineCondition;
import io.holdfast.spi.EngineTraits;

/** One mode of keeping locks on connections, for one client. Safe for several threads. */
public interface Keeper extends AutoCloseable {

  /** What it promises. */
  EngineTraits traits();

  /** Who runs the verbs of one lane; opens no connection yet. */
  Errand errand();

  /** How it is, without I/O. */
  EngineCondition condition();

  /** Why it has mutexes in order ANY and nothing else, as the end of a sentence. */
  String whyNot();

  /** Ends the connections, and with them everything that is held. */
  @Override
  void close();
}
