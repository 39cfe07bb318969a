package io.holdfast.rig.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One direction of a connection. Bytes are read, meet the fault in force, wait in a queue until
 * they are due, and are written. Used by the proxy's thread alone.
 *
 * <p>The news that a side has closed or broken off travels through the queue like bytes do, and is
 * swallowed or held like them.
 */
final class DirectedFlow {
  private static final long MOST_QUEUED = 1 << 20;

  /** What a step of this flow means for the connection. */
  enum Fate {
    GOES_ON,
    CLOSES,
    RESETS,
    /** The sink takes no more: the opposite flow has to notify the source. */
    SINK_BROKE
  }

  private enum News {
    NONE,
    END_OF_STREAM,
    CLOSED,
    BROKEN
  }

  private record Piece(ByteBuffer bytes, News news, long due) {}

  private final SocketChannel source;
  private final SocketChannel sink;
  private final ByteCounter tally;
  private final Deque<Piece> queue = new ArrayDeque<>();
  private ActiveFault inForce;
  private long budget;
  private long queued;
  private long lastDue = System.nanoTime();
  private boolean sourceEnded;
  private boolean finished;
  private boolean drains;
  private boolean holed;

  DirectedFlow(SocketChannel source, SocketChannel sink, ByteCounter tally, ActiveFault inForce) {
    this.source = source;
    this.sink = sink;
    this.tally = tally;
    this.inForce = inForce;
    this.budget = inForce.budget();
  }

  /**
   * Changes the fault. What is queued is in the network: it is lost when that begins to swallow.
   */
  Fate apply(ActiveFault next) {
    inForce = next;
    budget = next.budget();
    if (next.swallows()) {
      holed |= !queue.isEmpty();
      discardQueue();
      return Fate.GOES_ON;
    }
    return holed ? Fate.RESETS : Fate.GOES_ON;
  }

  boolean wantsToRead() {
    return !sourceEnded && queued < MOST_QUEUED;
  }

  /** Whether a piece could be written now if the sink took it. */
  boolean isDue(long now) {
    return nextDue() <= now;
  }

  /** When the first queued piece is due, or {@code Long.MAX_VALUE}. */
  long nextDue() {
    Piece first = queue.peek();
    return first == null || inForce.holds() ? Long.MAX_VALUE : first.due();
  }

  /** Whether the end of the stream has been passed on. */
  boolean isFinished() {
    return finished;
  }

  /** Takes what the source has. */
  Fate read(ByteBuffer buffer) {
    buffer.clear();
    int count;
    try {
      count = source.read(buffer);
    } catch (IOException e) {
      return broke();
    }
    if (count < 0) {
      sourceEnded = true;
      return tell(News.END_OF_STREAM);
    }
    buffer.flip();
    return count == 0 ? Fate.GOES_ON : meetFault(buffer);
  }

  /** The source's side is gone without a proper end. */
  Fate broke() {
    sourceEnded = true;
    return inForce.swallows() || inForce.holds() ? tell(News.BROKEN) : Fate.RESETS;
  }

  /** The sink is gone, but the source must not notice: reads and drops everything from now on. */
  void drain() {
    drains = true;
    discardQueue();
  }

  /** Writes what is due. */
  Fate write(long now) {
    try {
      while (isDue(now)) {
        Piece piece = queue.element();
        tally.addPassed(sink.write(piece.bytes()));
        if (piece.bytes().hasRemaining()) {
          return Fate.GOES_ON;
        }
        queue.remove();
        queued -= piece.bytes().capacity();
        if (piece.news() != News.NONE) {
          return deliver(piece.news());
        }
      }
      return Fate.GOES_ON;
    } catch (IOException e) {
      return Fate.SINK_BROKE;
    }
  }

  private Fate deliver(News news) throws IOException {
    switch (news) {
      case CLOSED -> {
        return Fate.CLOSES;
      }
      case BROKEN -> {
        return Fate.RESETS;
      }
      default -> {
        finished = true;
        sink.shutdownOutput();
        return Fate.GOES_ON;
      }
    }
  }

  private Fate meetFault(ByteBuffer bytes) {
    if (drains || inForce.swallows() || inForce.resets()) {
      holed |= inForce.swallows();
      tally.addLost(bytes.remaining());
      return inForce.resets() && !drains ? Fate.RESETS : Fate.GOES_ON;
    }
    byte[] taken = new byte[(int) Math.min(bytes.remaining(), budget)];
    bytes.get(taken);
    tally.addLost(bytes.remaining());
    enqueue(ByteBuffer.wrap(taken), News.NONE);
    if (inForce.fault() instanceof ProxyFault.Truncate) {
      budget -= taken.length;
      if (budget == 0) {
        sourceEnded = true;
        return tell(News.CLOSED);
      }
    }
    return Fate.GOES_ON;
  }

  private Fate tell(News news) {
    if (inForce.swallows()) {
      holed = true;
    } else if (!drains) {
      enqueue(ByteBuffer.allocate(0), news);
    }
    return Fate.GOES_ON;
  }

  private void enqueue(ByteBuffer bytes, News news) {
    // Never before the piece ahead, however the jitter falls: it is one stream.
    lastDue = Math.max(lastDue, System.nanoTime() + inForce.nextDelayNanos());
    queue.add(new Piece(bytes, news, lastDue));
    queued += bytes.capacity();
  }

  private void discardQueue() {
    queue.forEach(piece -> tally.addLost(piece.bytes().remaining()));
    queue.clear();
    queued = 0;
  }
}
