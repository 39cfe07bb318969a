package io.holdfast.server.http;

import io.holdfast.spi.wire.MessageWriter;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.eclipse.jetty.util.IteratingCallback;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/** Sends the messages of a WebSocket one after the other; any thread may add one. */
final class OutgoingMessages extends IteratingCallback {

  /** A client that reads nothing is dropped before it costs more memory than this. */
  private static final int MOST_BYTES = 16 << 20;

  private static final int GOING_AWAY = 1001;

  private final Session session;
  private final Queue<ByteBuffer> queue = new ArrayDeque<>();
  private long queuedBytes;
  private boolean isClosing;

  OutgoingMessages(Session session) {
    this.session = session;
  }

  void send(MessageWriter message) {
    ByteBuffer bytes = message.toBuffer();
    boolean isTooSlow;
    synchronized (queue) {
      if (isClosing) {
        return;
      }
      queue.add(bytes);
      queuedBytes += bytes.remaining();
      isTooSlow = queuedBytes > MOST_BYTES;
    }
    if (isTooSlow) {
      session.disconnect();
    } else {
      iterate();
    }
  }

  /** Closes the connection after what was queued; the client goes to another server. */
  void closeInTheEnd() {
    synchronized (queue) {
      if (isClosing) {
        return;
      }
      isClosing = true;
    }
    iterate();
  }

  @Override
  protected Action process() {
    ByteBuffer next;
    synchronized (queue) {
      next = queue.poll();
      if (next == null && !isClosing) {
        return Action.IDLE;
      }
      queuedBytes -= next == null ? 0 : next.remaining();
    }
    if (next == null) {
      session.close(GOING_AWAY, "connect again", Callback.NOOP);
      return Action.SUCCEEDED;
    }
    session.sendBinary(next, Callback.from(this::succeeded, this::failed));
    return Action.SCHEDULED;
  }

  @Override
  protected void onFailure(Throwable cause) {
    session.disconnect();
  }
}
