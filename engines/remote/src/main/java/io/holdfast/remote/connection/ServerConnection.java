package io.holdfast.remote.connection;

import io.holdfast.spi.support.StoreUri.Server;
import io.holdfast.spi.wire.Hello;
import io.holdfast.spi.wire.MalformedMessageException;
import io.holdfast.spi.wire.MessageReader;
import io.holdfast.spi.wire.MessageWriter;
import io.holdfast.spi.wire.Wire;
import java.io.IOException;
import java.time.Duration;

/** A connection to a server, with a thread that reads. */
public final class ServerConnection implements AutoCloseable {

  /** The server pings every 20 s. */
  private static final Duration SILENCE = Duration.ofSeconds(45);

  /** Receives messages, one after the other, on the thread that reads. */
  public interface Listener {

    /** A message has arrived, whose type was read. */
    void received(byte type, MessageReader message) throws MalformedMessageException;

    /** The connection was lost or closed: nothing will be received any more. */
    void lost();
  }

  private final Server server;
  private final WebSocket socket;
  private final Hello hello;
  private volatile boolean isLost;
  private volatile String cause = "it was closed";

  private ServerConnection(Server server, WebSocket socket, Hello hello) {
    this.server = server;
    this.socket = socket;
    this.hello = hello;
  }

  /** Connects and waits for the server's hello. */
  static ServerConnection open(
      Server server, TlsSockets tls, ServiceToken token, Duration timeout, Listener listener)
      throws IOException {
    long start = System.nanoTime();
    WebSocket socket = WebSocket.connect(server, tls, token.authorization(), timeout);
    try {
      Duration left = timeout.minusNanos(System.nanoTime() - start);
      MessageReader first =
          new MessageReader(socket.read(Duration.ofMillis(Math.max(1, left.toMillis()))));
      if (first.get() != Wire.HELLO) {
        throw new MalformedMessageException("the server did not say hello");
      }
      ServerConnection opened = new ServerConnection(server, socket, Hello.read(first));
      Thread reader = new Thread(() -> opened.read(listener), "holdfast-remote-" + server);
      reader.setDaemon(true);
      reader.start();
      return opened;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      socket.close();
      throw e;
    }
  }

  private void read(Listener listener) {
    try {
      while (true) {
        MessageReader message = new MessageReader(socket.read(SILENCE));
        listener.received(message.get(), message);
      }
    } catch (IOException e) {
      String message = e.getMessage();
      cause = message == null ? e.toString() : message;
    } catch (RuntimeException e) {
      cause = e.toString();
    } finally {
      isLost = true;
      socket.close();
      listener.lost();
    }
  }

  /** Sends a message. After a failure the server may have received it nevertheless. */
  public void send(MessageWriter message) throws IOException {
    socket.write(message.toBuffer());
  }

  /** Returns the server at the other end. */
  public Server server() {
    return server;
  }

  /** Returns what the server said of itself. */
  public Hello hello() {
    return hello;
  }

  /** Returns whether the connection is of no more use. */
  public boolean isLost() {
    return isLost;
  }

  /** Returns why it was lost, as the end of a sentence. */
  public String cause() {
    return cause;
  }

  /** May be called by any thread. */
  @Override
  public void close() {
    isLost = true;
    socket.close();
  }
}
