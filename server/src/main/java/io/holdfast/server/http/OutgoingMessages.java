package io.holdfast.server.http;

import io.holdfast.spi.wire.MessageWriter;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/** Sends the messages of a WebSocket one after the other; any thread may add one. */
final class OutgoingMessages {

  /** A client that reads nothing is dropped before it costs more memory than this. */
  private static final int MOST_BYTES = 16 << 20;

  private final Session session;
  private final Queue<ByteBuffer> queue = new ArrayDeque<>();
  private long queuedBytes;
  private boolean isSending;
  private boolean isClosing;

  OutgoingMessages(Session session) {
    this.session = session;
  }

  void send(MessageWriter message) {
    send(message.toBuffer());
  }

  private void send(ByteBuffer message) {
    boolean isTooSlow;
    synchronized (queue) {
      if (isClosing) {
        return;
      }
      if (!isSending) {
        isSending = true;
        isTooSlow = false;
      } else {
        queue.add(message);
        queuedBytes += message.remaining();
        isTooSlow = queuedBytes > MOST_BYTES;
        if (!isTooSlow) {
          return;
        }
      }
    }
    if (isTooSlow) {
      session.disconnect();
    } else {
      write(message);
    }
  }

  private void write(ByteBuffer message) {
    session.sendBinary(message, Callback.from(this::next, failure -> session.disconnect()));
  }

  private void next() {
    ByteBuffer next;
    boolean close;
    synchronized (queue) {
      next = queue.poll();
      isSending = next != null;
      queuedBytes -= next == null ? 0 : next.remaining();
      close = next == null && isClosing;
    }
    if (next != null) {
      write(next);
    } else if (close) {
      closeSession();
    }
  }

  /** Closes the connection after what was queued; the client goes to another server. */
  void close() {
    synchronized (queue) {
      if (isClosing) {
        return;
      }
      isClosing = true;
      if (isSending) {
        return;
      }
    }
    closeSession();
  }

  private void closeSession() {
    session.close(GOING_AWAY, "connect again", Callback.NOOP);
  }

  private static final int GOING_AWAY = 1001;
}
