package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.RedisOptions.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Creates the socket of one connection, which can be cut while it connects. */
final class RedisSocketFactory implements JedisSocketFactory {

  private final Server server;
  private final Optional<Tls> tls;
  private final Deadline connectBy;
  private final Deadline answerBy;
  private final OpenSockets sockets;
  private @Nullable Socket bare;
  private @Nullable Socket socket;

  /**
   * Creates a factory for one socket.
   *
   * @param connectBy when the connection must be open
   * @param answerBy when its first replies must have arrived
   */
  RedisSocketFactory(
      Server server,
      Optional<Tls> tls,
      Deadline connectBy,
      Deadline answerBy,
      OpenSockets sockets) {
    this.server = server;
    this.tls = tls;
    this.connectBy = connectBy;
    this.answerBy = answerBy;
    this.sockets = sockets;
  }

  @Override
  public Socket createSocket() {
    try {
      Socket made = connected();
      made.setSoTimeout(answerBy.millisLeft());
      socket = tls.isPresent() ? encrypted(made, tls.get()) : made;
      return socket;
    } catch (IOException e) {
      cut();
      throw new JedisConnectionException(e.getMessage(), e);
    }
  }

  /** Returns the socket, once it is connected. */
  Socket socket() {
    if (socket == null) {
      throw new JedisConnectionException("there is no connection to " + server);
    }
    return socket;
  }

  /** Ends the connection, from any thread. Never waits, as an orderly close of TLS might. */
  void cut() {
    if (bare != null) {
      sockets.cut(bare);
    }
  }

  private Socket connected() throws IOException {
    InetAddress[] all = InetAddress.getAllByName(server.host());
    IOException trouble = new SocketException("no address for " + server.host());
    for (int i = 0; i < all.length; i++) {
      try {
        // The time left is shared, so that a dead address leaves some for the next one.
        return connected(all[i], Math.max(1, connectBy.millisLeft() / (all.length - i)));
      } catch (IOException e) {
        cut();
        trouble = e;
      }
    }
    throw trouble;
  }

  private Socket connected(InetAddress address, int millis) throws IOException {
    Socket made = new Socket();
    bare = made;
    sockets.add(made);
    made.setKeepAlive(true);
    made.setTcpNoDelay(true);
    made.connect(new InetSocketAddress(address, server.port()), millis);
    return made;
  }

  private Socket encrypted(Socket made, Tls how) throws IOException {
    SSLSocket layered =
        (SSLSocket) how.sockets().createSocket(made, server.host(), server.port(), true);
    SSLParameters parameters = how.parameters().orElseGet(layered::getSSLParameters);
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    layered.setSSLParameters(parameters);
    layered.startHandshake();
    return layered;
  }
}
