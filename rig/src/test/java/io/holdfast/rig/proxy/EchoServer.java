package io.holdfast.rig.proxy;

import io.holdfast.rig.process.Ports;
import io.holdfast.rig.time.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Sends back what it gets, remembers it, and can speak first. */
final class EchoServer implements AutoCloseable {
  private static final Duration BOUND = Duration.ofSeconds(5);

  private final ServerSocket listener = new ServerSocket();
  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();

  EchoServer() throws IOException {
    this(0);
  }

  EchoServer(int port) throws IOException {
    listener.bind(Ports.loopback(port));
    start(this::accept, "echo-accept");
  }

  InetSocketAddress address() {
    return (InetSocketAddress) listener.getLocalSocketAddress();
  }

  /** All bytes from all clients. */
  String received() {
    synchronized (received) {
      return received.toString(StandardCharsets.US_ASCII);
    }
  }

  int connections() {
    return connections.size();
  }

  void push(String text) throws IOException {
    for (Socket connection : connections) {
      connection.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket connection : connections) {
      connection.close();
    }
    Await.until(
        "the end of the echo threads", BOUND, () -> threads.stream().noneMatch(Thread::isAlive));
  }

  private void start(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = listener.accept();
        connections.add(connection);
        start(() -> echo(connection), "echo-connection");
      }
    } catch (IOException e) {
      // closed: the end
    }
  }

  private void echo(Socket connection) {
    byte[] buffer = new byte[8192];
    try (connection) {
      InputStream in = connection.getInputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        synchronized (received) {
          received.write(buffer, 0, count);
        }
        connection.getOutputStream().write(buffer, 0, count);
      }
    } catch (IOException e) {
      // broken off: the end
    }
  }
}
