package io.holdfast.redis.wire;

/** The server's "nothing". */
public enum Nil {
  NIL
}
