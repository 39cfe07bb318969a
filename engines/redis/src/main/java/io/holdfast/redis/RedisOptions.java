package io.holdfast.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocketFactory;

/**
 * Where the servers are and how they are used. Immutable; each {@code with…} answers a changed copy
 * and says no to what is out of bounds. Nothing here shows a password: not {@link #toString()}, not
 * {@link #address()}, no error.
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
 * @param maxLease the longest lease of any client of this store; zero: the usual lease
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
    /** Whichever server the sentinels name. */
    SENTINEL,
    /** A Redis Cluster. */
    CLUSTER,
    /** Independent masters, of which more than half must agree. */
    REDLOCK
  }

  /** Where a server listens. */
  public record Server(String host, int port) {

    /** Says no to an empty host and to ports that there are not. */
    public Server {
      RedisBounds.server(host, port);
    }

    /** As in a URI: an IPv6 address is in brackets. */
    @Override
    public String toString() {
      return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
  }

  /** Who we are to a server; both empty: nobody in particular. */
  public record Login(String user, String password) {

    /** No login. */
    public static final Login NONE = new Login("", "");

    /** Says no to a user without a password. */
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
   * @param parameters more of it, such as cipher suites
   */
  public record Tls(SSLSocketFactory sockets, Optional<SSLParameters> parameters) {

    /** As the JVM does it. */
    public static Tls standard() {
      return new Tls((SSLSocketFactory) SSLSocketFactory.getDefault(), Optional.empty());
    }

    /** As a context says that the program has made. */
    public static Tls of(SSLContext context) {
      return new Tls(context.getSocketFactory(), Optional.empty());
    }

    /**
     * Trusts the certificates in a file.
     *
     * @throws IllegalArgumentException when it cannot be read
     */
    public static Tls trusting(Path trustStore, String password) {
      return of(TrustStore.context(trustStore, password));
    }

    @Override
    public String toString() {
      return "on";
    }
  }

  /** Says no to what does not fit together. */
  public RedisOptions {
    servers = List.copyOf(servers);
    RedisBounds.topology(topology, servers, masterName, sentinelLogin, database);
    RedisBounds.between(
        "connectTimeout", connectTimeout, Duration.ofMillis(10), Duration.ofMinutes(1));
    RedisBounds.between("minReplicas", minReplicas, 0, 100);
    RedisBounds.between(
        "replicaTimeout", replicaTimeout, Duration.ofMillis(1), Duration.ofMinutes(1));
    RedisBounds.between("quarantine", quarantine, Duration.ZERO, Duration.ofDays(1));
    RedisBounds.between("maxLease", maxLease, Duration.ZERO, Duration.ofDays(1));
    RedisBounds.between("nodeTimeout", nodeTimeout, Duration.ofMillis(5), Duration.ofMinutes(1));
    if (minReplicas > 0 && topology == Topology.REDLOCK) {
      throw new IllegalArgumentException(
          "minReplicas is not for redlock, whose servers have no replicas: minReplicas="
              + minReplicas);
    }
  }

  /**
   * What an address says: {@code redis://user:password@host:port/db?strict=true}, {@code
   * rediss://…}, {@code redis-sentinel://host,host,host/master/db}, {@code redis-cluster://host,…},
   * {@code redlock://host,host,host}. Parameters are named as the options are.
   *
   * @throws IllegalArgumentException when it is not understood; the message has no secrets
   */
  public static RedisOptions of(String uri) {
    return RedisUri.parse(uri);
  }

  /** Who we are to the servers. */
  public RedisOptions withLogin(String user, String password) {
    return with(draft -> draft.login = new Login(user, password));
  }

  /** Who we are to the sentinels. */
  public RedisOptions withSentinelLogin(String user, String password) {
    return with(draft -> draft.sentinelLogin = new Login(user, password));
  }

  /** The number of the database. */
  public RedisOptions withDatabase(int number) {
    return with(draft -> draft.database = number);
  }

  /** Encrypted connections. */
  public RedisOptions withTls(Tls how) {
    return with(draft -> draft.tls = Optional.of(how));
  }

  /** How long connecting may take. */
  public RedisOptions withConnectTimeout(Duration timeout) {
    return with(draft -> draft.connectTimeout = timeout);
  }

  /** Whether waiters are signalled. */
  public RedisOptions withSignals(boolean on) {
    return with(draft -> draft.signals = on);
  }

  /** How many replicas must confirm a grant, and how long they have. */
  public RedisOptions withReplicas(int least, Duration timeout) {
    return with(
        draft -> {
          draft.minReplicas = least;
          draft.replicaTimeout = timeout;
        });
  }

  /** Whether doubts about the store are refusals. */
  public RedisOptions withStrict(boolean on) {
    return with(draft -> draft.strict = on);
  }

  /** How long nothing is granted after a failover. */
  public RedisOptions withQuarantine(Duration time) {
    return with(draft -> draft.quarantine = time);
  }

  /** The longest lease of any client of this store. */
  public RedisOptions withMaxLease(Duration lease) {
    return with(draft -> draft.maxLease = lease);
  }

  /** How long each of Redlock's servers has. */
  public RedisOptions withNodeTimeout(Duration timeout) {
    return with(draft -> draft.nodeTimeout = timeout);
  }

  private RedisOptions with(Consumer<RedisDraft> change) {
    RedisDraft draft = new RedisDraft(this);
    change.accept(draft);
    return draft.build();
  }

  /** The address for errors and listings, without secrets and parameters. */
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
}
