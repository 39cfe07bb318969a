package io.holdfast.jdbc;

import io.holdfast.jdbc.table.Answer;
import io.holdfast.jdbc.table.Signal;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Verb;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keeps in mind who waits, before and after each verb. Safe for several threads. */
interface Waiting extends AutoCloseable {

  /** The verb is about to be sent. */
  void before(Verb verb);

  /** The verb has its answer and is about to be told. */
  void after(Answer answer);

  /** A verb of this client has made room for these. */
  void called(List<Signal> calls);

  /**
   * Where to say that what somebody holds was changed by others; where nothing is heard, ignored.
   */
  default void reportTo(HoldSignal signal) {}

  /** What happened so far, for {@code health()}. */
  default Map<String, Long> counters() {
    return Map.of();
  }

  /** A warning when those that wait cannot be told. */
  default Optional<String> silence() {
    return Optional.empty();
  }

  @Override
  void close();
}
