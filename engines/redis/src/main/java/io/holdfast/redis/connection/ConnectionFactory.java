package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions;
import io.holdfast.redis.RedisOptions.Login;
import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.RedisOptions.Tls;
import io.holdfast.redis.RedisOptions.Topology;
import io.holdfast.spi.EngineException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Opens connections, and checks the server before it returns them. Thread-safe. */
public final class ConnectionFactory {

  private final JedisClientConfig config;
  private final Optional<Tls> tls;
  private final Duration connectTimeout;
  private final ServerCheck check;
  private final boolean cluster;

  ConnectionFactory(
      JedisClientConfig config,
      Optional<Tls> tls,
      Duration connectTimeout,
      ServerCheck check,
      boolean cluster) {
    this.config = config;
    this.tls = tls;
    this.connectTimeout = connectTimeout;
    this.check = check;
    this.cluster = cluster;
  }

  /**
   * Creates a factory of connections as options describe them.
   *
   * @param check inspects servers before they are used
   */
  public static ConnectionFactory of(
      RedisOptions options, Login login, int database, ServerCheck check) {
    return new ConnectionFactory(
        new LoginConfig(login, database),
        options.tls(),
        options.connectTimeout(),
        check,
        options.topology() == Topology.CLUSTER);
  }

  /** Opens a connection to a master that has passed the check. */
  public RedisConnection open(Server address, OpenSockets sockets, Deadline deadline)
      throws EngineException {
    RedisConnection connection = openUnchecked(address, sockets, deadline);
    boolean done = false;
    try {
      look(connection);
      done = true;
      return connection;
    } catch (JedisException e) {
      throw new EngineException.NotDone(address + " lost the connection: " + e.getMessage(), e);
    } finally {
      if (!done) {
        connection.cut();
      }
    }
  }

  /** Opens a connection without a check: for signals, and for asking where the master is. */
  RedisConnection openUnchecked(Server address, OpenSockets sockets, Deadline deadline)
      throws EngineException {
    RedisSocketFactory socketFactory =
        new RedisSocketFactory(address, tls, deadline.orIn(connectTimeout), deadline, sockets);
    boolean done = false;
    try {
      RedisConnection connection = new RedisConnection(address, socketFactory, config, deadline);
      done = true;
      return connection;
    } catch (JedisDataException e) {
      throw ServerErrors.ofLogin(String.valueOf(e.getMessage()), address.toString());
    } catch (JedisException e) {
      throw noConnection(address, e);
    } finally {
      if (!done) {
        socketFactory.cut();
      }
    }
  }

  private static EngineException noConnection(Server address, JedisException e) {
    if (isMistrust(e)) {
      return new EngineException.Refused(
          "the certificate of " + address + " is not trusted: " + e.getMessage(), e);
    }
    return new EngineException.NotDone("no connection to " + address + ": " + PlainText.of(e), e);
  }

  private static boolean isMistrust(@Nullable Throwable e) {
    return e != null
        && (e instanceof CertificateException
            || e instanceof SSLPeerUnverifiedException
            || isMistrust(e.getCause()));
  }

  private void look(RedisConnection connection) throws EngineException {
    String address = connection.address().toString();
    Object info = connection.ask(Command.INFO);
    if (info instanceof byte[] text) {
      ServerInfo facts = ServerInfo.parse(new String(text, StandardCharsets.UTF_8));
      connection.runId(facts.runId());
      check.look(address, facts);
      right(address, facts);
    } else if (info instanceof JedisDataException error) {
      String said = String.valueOf(error.getMessage());
      if (!ServerErrors.kind(said).equals("NOPERM")) {
        throw ServerErrors.ofLogin(said, address);
      }
      check.unseen(address, said);
    }
  }

  /**
   * A node of a cluster has only some of the keys: to take it for a single server would fail later.
   */
  private void right(String address, ServerInfo facts) throws EngineException {
    if (facts.isClusterNode() != cluster) {
      throw new EngineException.Refused(
          cluster
              ? address + " is not part of a cluster: use redis://"
              : address + " is part of a cluster: use redis-cluster://");
    }
  }

  /**
   * How Jedis logs in.
   *
   * <p>Timeouts are set on each socket. No HELLO is sent: it costs one more trip, and RESP2 needs
   * none. Written by hand because the builder differs between Jedis 6 and 8.
   */
  private static final class LoginConfig implements JedisClientConfig {

    private static final String CLIENT_NAME = "holdfast";

    private final Login login;
    private final int database;

    LoginConfig(Login login, int database) {
      this.login = login;
      this.database = database;
    }

    @Override
    @SuppressWarnings("NullAway") // Jedis does not say so, but null means no user.
    public @Nullable String getUser() {
      return login.user().isEmpty() ? null : login.user();
    }

    @Override
    @SuppressWarnings("NullAway") // As above.
    public @Nullable String getPassword() {
      return login.password().isEmpty() ? null : login.password();
    }

    @Override
    public int getDatabase() {
      return database;
    }

    @Override
    public String getClientName() {
      return CLIENT_NAME;
    }

    @Override
    public ClientSetInfoConfig getClientSetInfoConfig() {
      return ClientSetInfoConfig.DISABLED;
    }

    /** Unknown to Jedis before 8, which sends no HELLO unless it is configured to. */
    @Override
    public boolean isAutoNegotiateProtocol() {
      return false;
    }

    @Override
    public String toString() {
      return "login " + login + ", database " + database;
    }
  }
}
