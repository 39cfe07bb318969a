package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;

/** What became of a call. */
public sealed interface ScriptReply {

  /** The server's nil. */
  enum Nil {
    /** The only value. */
    NIL
  }

  /** The number of replicas if none was asked. */
  int NOT_ASKED = -1;

  /**
   * The value that the script returned.
   *
   * @param value {@code Long}, {@code byte[]}, a {@code List} of such, or {@link Nil#NIL}
   * @param replicas how many replicas confirmed, or {@link #NOT_ASKED}
   */
  record Value(Object value, int replicas) implements ScriptReply {}

  /** There was no reply, or the server returned an error. */
  record Failed(EngineException why) implements ScriptReply {}
}
