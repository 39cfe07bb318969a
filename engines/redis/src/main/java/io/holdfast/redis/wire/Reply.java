package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;

/** What became of a call. */
public sealed interface Reply {

  /** How many replicas have it, when nobody asked them. */
  int NOT_ASKED = -1;

  /**
   * The script's answer.
   *
   * @param value {@code Long}, {@code byte[]}, a {@code List} of such, or {@link Nil#NIL}
   * @param replicas how many replicas confirmed, or {@link #NOT_ASKED}
   */
  record Value(Object value, int replicas) implements Reply {}

  /** There was no answer, or the server said no. */
  record Failed(EngineException why) implements Reply {}
}
