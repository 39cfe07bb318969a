package io.holdfast.rig.proxy;

import java.time.Duration;

/** What happens to the bytes of one {@link Direction} of every connection of a proxy. */
public sealed interface ProxyFault {

  /** No fault: they pass. */
  record Pass() implements ProxyFault {}

  /**
   * They vanish, and so does the news that a side has closed: the connection looks alive and is
   * silent. TCP never loses bytes from the middle of a stream, so a connection that lost some is
   * reset as soon as the fault is taken away.
   */
  record Swallow() implements ProxyFault {}

  /**
   * They wait, and arrive in order when the fault is taken away: what a network partition does,
   * because TCP sends again. This is how a request comes long after its sender gave it up.
   */
  record Hold() implements ProxyFault {}

  /**
   * They arrive in order, each piece later by {@code base} plus a part of {@code jitter} that the
   * seed decides.
   */
  record Delay(Duration base, Duration jitter, long seed) implements ProxyFault {
    /** Refuses negative durations. */
    public Delay {
      if (base.isNegative() || jitter.isNegative()) {
        throw new IllegalArgumentException("must be >= 0: base=" + base + " jitter=" + jitter);
      }
    }
  }

  /**
   * The first of them resets the connection (RST to both sides) and is not delivered. On {@link
   * Direction#REPLIES}: the server has done the work, and the client never receives the reply.
   */
  record Reset() implements ProxyFault {}

  /**
   * The first {@code bytes} of them pass, counted from now or from the start of a later connection;
   * then both sides see an end of stream, in the middle of a frame if the number is chosen so.
   */
  record Truncate(long bytes) implements ProxyFault {
    /** Refuses a negative number. */
    public Truncate {
      if (bytes < 0) {
        throw new IllegalArgumentException("must be >= 0: bytes=" + bytes);
      }
    }
  }
}
