package io.holdfast.server.http;

import io.holdfast.spi.wire.MessageWriter;
import io.holdfast.spi.wire.Reply;
import io.holdfast.spi.wire.Wire;

/**
 * The verbs of one message, whose replies go back in one message, too, if they come together.
 *
 * <p>A verb that takes long does not hold up the replies to the others: {@link #flushAndIsDone}
 * sends those that are there.
 */
final class VerbBatch {

  /** Where replies go. */
  interface Sender {

    /** Sends a message. */
    void send(MessageWriter replies);

    /** The first reply is there, and others are not. */
    void started(VerbBatch batch);

    /** All replies are sent. */
    void finished(VerbBatch batch);
  }

  private final int first;
  private final Sender sender;
  private int open;
  private int count;
  private MessageWriter ready;

  /**
   * Creates it before the verbs are sent.
   *
   * @param first the number of the first verb
   */
  VerbBatch(int first, int verbs, Sender sender) {
    this.first = first;
    this.open = verbs;
    this.sender = sender;
    this.ready = empty();
  }

  private MessageWriter empty() {
    return new MessageWriter(Wire.REPLIES).putInt(first).putInt(0);
  }

  void replied(int index, Reply reply) {
    boolean isFirst;
    boolean isLast;
    synchronized (this) {
      ready.putInt(index);
      reply.write(ready);
      count++;
      open--;
      isLast = open == 0;
      isFirst = count == 1 && !isLast;
    }
    if (isLast) {
      flush();
      sender.finished(this);
    } else if (isFirst) {
      sender.started(this);
    }
  }

  /** Sends the replies that are there; returns whether there are no others to come. */
  boolean flushAndIsDone() {
    flush();
    synchronized (this) {
      return open == 0;
    }
  }

  private void flush() {
    MessageWriter message;
    synchronized (this) {
      if (count == 0) {
        return;
      }
      message = ready;
      message.setInt(1 + Integer.BYTES, count);
      ready = empty();
      count = 0;
    }
    sender.send(message);
  }
}
