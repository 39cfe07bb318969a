package io.holdfast.jdbc.kept;

import io.holdfast.spi.Verb;
import java.util.List;

/** Runs verbs for one lane, on its thread. */
public interface Errand extends AutoCloseable {

  /** Completes each verb exactly once; blocks for the database. */
  void perform(List<Verb> batch);

  /** May come from another thread: a call that takes too long is broken off. */
  @Override
  void close();
}
