package io.holdfast.remote;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;

/** Sends each new connection to a random one of several servers, as a balancer would. */
final class RandomProxy implements AutoCloseable {

  private static final int BACKLOG = 1_000;

  private final List<Integer> ports;
  private final String scheme;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private RandomProxy(String scheme, ServerSocketFactory sockets, List<Integer> ports)
      throws IOException {
    this.scheme = scheme;
    this.ports = List.copyOf(ports);
    this.listener = sockets.createServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
  }

  /** Starts a proxy on a free port. */
  static RandomProxy to(List<Integer> ports) throws IOException {
    return started(new RandomProxy("http", ServerSocketFactory.getDefault(), ports));
  }

  /** Starts a proxy that ends TLS. */
  static RandomProxy withTls(SSLContext tls, List<Integer> ports) throws IOException {
    return started(new RandomProxy("https", tls.getServerSocketFactory(), ports));
  }

  private static RandomProxy started(RandomProxy proxy) {
    start(proxy::accept);
    return proxy;
  }

  String address() {
    return scheme + "://127.0.0.1:" + listener.getLocalPort();
  }

  private static void start(Runnable body) {
    Thread thread = new Thread(body, "random-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        start(() -> connect(client));
      }
    } catch (IOException e) {
      // It is closed.
    }
  }

  private void connect(Socket client) {
    int port = ports.get(ThreadLocalRandom.current().nextInt(ports.size()));
    Socket server = new Socket();
    open.add(client);
    open.add(server);
    try {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      close(client);
      return;
    }
    start(() -> copy(client, server));
    copy(server, client);
  }

  private void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One of them is closed: both are.
    }
    close(from);
    close(to);
  }

  private void close(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no more use.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    open.forEach(this::close);
  }
}
