package io.holdfast.redis;

import io.holdfast.redis.RedisOptions.Login;
import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.RedisOptions.Tls;
import io.holdfast.redis.RedisOptions.Topology;
import io.holdfast.spi.support.Bounds;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * The servers of a store and how they are used. Immutable.
 *
 * <p>Each {@code with…} returns a changed copy and rejects values out of bounds. Nothing here shows
 * a password: not {@link #toString()}, not {@link #address()}, no error.
 *
 * @param topology how the servers belong together
 * @param servers the one server, the sentinels, some nodes of the cluster, or all of Redlock's
 * @param masterName what the sentinels call the master; empty elsewhere
 * @param login for the servers
 * @param sentinelLogin for the sentinels
 * @param database its number; a cluster has only 0
 * @param tls encrypted connections, if wanted
 * @param connectTimeout how long connecting may take, and never longer than the operation timeout
 * @param signals whether waiters are signalled; if not, they poll
 * @param minReplicas how many replicas must confirm a grant
 * @param replicaTimeout how long they have
 * @param strict whether doubts about the store are refusals, and failovers are followed by a
 *     quarantine
 * @param quarantine how long nothing is granted after a failover; zero: the lease and 12 s
 * @param maxLease the longest lease of any client of this store; zero: the client's lease
 * @param nodeTimeout how long each of Redlock's servers has
 */
public record RedisOptions(
    Topology topology,
    List<Server> servers,
    String masterName,
    Login login,
    Login sentinelLogin,
    int database,
    Optional<Tls> tls,
    Duration connectTimeout,
    boolean signals,
    int minReplicas,
    Duration replicaTimeout,
    boolean strict,
    Duration quarantine,
    Duration maxLease,
    Duration nodeTimeout) {

  /** How servers belong together. */
  public enum Topology {
    /** One server. */
    SINGLE,
    /** The master that the sentinels name. */
    SENTINEL,
    /** A Redis Cluster. */
    CLUSTER,
    /** Independent masters, of which more than half must agree. */
    REDLOCK
  }

  /** Where a server listens. */
  public record Server(String host, int port) {

    /** Rejects an invalid host or port. */
    public Server {
      OptionChecks.server(host, port);
    }

    /** Returns it as in a URI: an IPv6 address is in brackets. */
    @Override
    public String toString() {
      return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
  }

  /** User and password; both empty for no login. */
  public record Login(String user, String password) {

    /** No login. */
    public static final Login NONE = new Login("", "");

    /** Rejects a user without a password. */
    public Login {
      if (password.isEmpty() && !user.isEmpty()) {
        throw new IllegalArgumentException("a user needs a password: user=" + user);
      }
    }

    @Override
    public String toString() {
      return password.isEmpty() ? "none" : (user.isEmpty() ? "default" : user) + ":***";
    }
  }

  /**
   * How connections are encrypted. The name in the server's certificate is always checked.
   *
   * @param parameters further settings, such as cipher suites
   */
  public record Tls(SSLSocketFactory sockets, Optional<SSLParameters> parameters) {

    /** Returns the defaults of the JVM. */
    public static Tls standard() {
      return new Tls((SSLSocketFactory) SSLSocketFactory.getDefault(), Optional.empty());
    }

    /** Returns the encryption of a caller-supplied context. */
    public static Tls of(SSLContext context) {
      return new Tls(context.getSocketFactory(), Optional.empty());
    }

    /**
     * Returns an encryption that trusts the certificates in a file.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public static Tls trusting(Path trustStore, String password) {
      return of(TrustStore.context(trustStore, password));
    }

    @Override
    public String toString() {
      return "on";
    }
  }

  /** Rejects options that do not fit together. */
  public RedisOptions {
    servers = List.copyOf(servers);
    OptionChecks.topology(topology, servers, masterName, sentinelLogin, database);
    Bounds.require("connectTimeout", connectTimeout, Duration.ofMillis(10), Duration.ofMinutes(1));
    Bounds.require("minReplicas", minReplicas, 0, 100);
    Bounds.require("replicaTimeout", replicaTimeout, Duration.ofMillis(1), Duration.ofMinutes(1));
    Bounds.require("quarantine", quarantine, Duration.ZERO, Duration.ofDays(1));
    Bounds.require("maxLease", maxLease, Duration.ZERO, Duration.ofDays(1));
    Bounds.require("nodeTimeout", nodeTimeout, Duration.ofMillis(5), Duration.ofMinutes(1));
    if (minReplicas > 0 && topology == Topology.REDLOCK) {
      throw new IllegalArgumentException(
          "minReplicas is not for redlock, whose servers have no replicas: minReplicas="
              + minReplicas);
    }
  }

  /**
   * Parses an address: {@code redis://user:password@host:port/db?strict=true}, {@code rediss://…},
   * {@code redis-sentinel://host,host,host/master/db}, {@code redis-cluster://host,…}, {@code
   * redlock://host,host,host}. Parameters are named as the options are.
   *
   * @throws IllegalArgumentException if it is not understood; the message has no secrets
   */
  public static RedisOptions of(String uri) {
    return RedisUri.parse(uri);
  }

  /** Returns a copy with another login for the servers. */
  public RedisOptions withLogin(String user, String password) {
    return with(draft -> draft.login = new Login(user, password));
  }

  /** Returns a copy with another login for the sentinels. */
  public RedisOptions withSentinelLogin(String user, String password) {
    return with(draft -> draft.sentinelLogin = new Login(user, password));
  }

  /** Returns a copy with another database number. */
  public RedisOptions withDatabase(int number) {
    return with(draft -> draft.database = number);
  }

  /** Returns a copy with encrypted connections. */
  public RedisOptions withTls(Tls how) {
    return with(draft -> draft.tls = Optional.of(how));
  }

  /** Returns a copy with another limit for connecting. */
  public RedisOptions withConnectTimeout(Duration timeout) {
    return with(draft -> draft.connectTimeout = timeout);
  }

  /** Returns a copy that signals waiters or not. */
  public RedisOptions withSignals(boolean on) {
    return with(draft -> draft.signals = on);
  }

  /** Returns a copy with another number of confirming replicas and their time limit. */
  public RedisOptions withReplicas(int least, Duration timeout) {
    return with(
        draft -> {
          draft.minReplicas = least;
          draft.replicaTimeout = timeout;
        });
  }

  /** Returns a copy with or without the strict profile. */
  public RedisOptions withStrict(boolean on) {
    return with(draft -> draft.strict = on);
  }

  /** Returns a copy with another quarantine after a failover. */
  public RedisOptions withQuarantine(Duration time) {
    return with(draft -> draft.quarantine = time);
  }

  /** Returns a copy with another longest lease of any client. */
  public RedisOptions withMaxLease(Duration lease) {
    return with(draft -> draft.maxLease = lease);
  }

  /** Returns a copy with another time limit for each master of Redlock. */
  public RedisOptions withNodeTimeout(Duration timeout) {
    return with(draft -> draft.nodeTimeout = timeout);
  }

  private RedisOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.build();
  }

  /** Returns the address for errors and listings, without secrets and parameters. */
  public String address() {
    StringBuilder address = new StringBuilder(RedisUri.scheme(topology, tls.isPresent()));
    address.append("://");
    for (int i = 0; i < servers.size(); i++) {
      address.append(i == 0 ? "" : ",").append(servers.get(i));
    }
    if (!masterName.isEmpty()) {
      address.append('/').append(masterName);
    }
    if (database != 0) {
      address.append('/').append(database);
    }
    return address.toString();
  }

  /** Mutable options; begins with the defaults. Not thread-safe. */
  static final class Draft {

    Topology topology;
    List<Server> servers;
    String masterName = "";
    Login login = Login.NONE;
    Login sentinelLogin = Login.NONE;
    int database;
    Optional<Tls> tls = Optional.empty();
    Duration connectTimeout = Duration.ofSeconds(1);
    boolean signals = true;
    int minReplicas;
    Duration replicaTimeout = Duration.ofMillis(100);
    boolean strict;
    Duration quarantine = Duration.ZERO;
    Duration maxLease = Duration.ZERO;
    Duration nodeTimeout = Duration.ofMillis(50);

    Draft(Topology topology, List<Server> servers) {
      this.topology = topology;
      this.servers = servers;
    }

    Draft(RedisOptions from) {
      topology = from.topology();
      servers = from.servers();
      masterName = from.masterName();
      login = from.login();
      sentinelLogin = from.sentinelLogin();
      database = from.database();
      tls = from.tls();
      connectTimeout = from.connectTimeout();
      signals = from.signals();
      minReplicas = from.minReplicas();
      replicaTimeout = from.replicaTimeout();
      strict = from.strict();
      quarantine = from.quarantine();
      maxLease = from.maxLease();
      nodeTimeout = from.nodeTimeout();
    }

    RedisOptions build() {
      return new RedisOptions(
          topology,
          servers,
          masterName,
          login,
          sentinelLogin,
          database,
          tls,
          connectTimeout,
          signals,
          minReplicas,
          replicaTimeout,
          strict,
          quarantine,
          maxLease,
          nodeTimeout);
    }
  }

  /** Reads a file of trusted certificates. */
  private static final class TrustStore {

    private TrustStore() {}

    static SSLContext context(Path file, String password) {
      try {
        char[] secret = password.isEmpty() ? null : password.toCharArray();
        KeyStore store = KeyStore.getInstance(file.toFile(), secret);
        TrustManagerFactory trust =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
      } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "trustStore cannot be read: trustStore=" + file + ": " + e.getMessage(), e);
      }
    }
  }
}
