package io.holdfast.rig.proxy;

/** The two directions of a connection through a {@link FaultProxy}. */
public enum Direction {
  /** From the client to the server. */
  REQUESTS,
  /** From the server to the client. */
  REPLIES;

  /** The other one. */
  public Direction opposite() {
    return this == REQUESTS ? REPLIES : REQUESTS;
  }
}
