package io.holdfast.redis.wire;

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

/** Makes the one socket of one connection, which can be cut while it is being made. */
final class Plug implements JedisSocketFactory {

  private final Server server;
  private final Optional<Tls> tls;
  private final Deadline connectBy;
  private final Deadline answerBy;
  private final Sockets sockets;
  private @Nullable Socket bare;
  private @Nullable Socket socket;

  /**
   * A plug.
   *
   * @param connectBy when the connection must stand
   * @param answerBy when its first answers must be there
   */
  Plug(Server server, Optional<Tls> tls, Deadline connectBy, Deadline answerBy, Sockets sockets) {
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

  /** The socket; there is one once the connection has been made. */
  Socket socket() {
    if (socket == null) {
      throw new JedisConnectionException("there is no connection to " + server);
    }
    return socket;
  }

  /** Ends the connection, whoever is using it. Never waits, as closing TLS properly might. */
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
        // What is left is shared, so that a dead address leaves time for the next one.
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
