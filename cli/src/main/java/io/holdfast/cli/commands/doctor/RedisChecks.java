package io.holdfast.cli.commands.doctor;

import io.holdfast.redis.RedisOptions;
import io.holdfast.redis.RedisOptions.Login;
import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.RedisOptions.Tls;
import io.holdfast.redis.RedisOptions.Topology;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** Checks Redis servers: version, role, eviction, persistence, replicas, clock. */
final class RedisChecks {

  private static final int TIMEOUT_MILLIS = 2000;
  private static final int LEAST_VERSION = 7;

  private final Checkup rounds;
  private final RedisOptions options;

  private RedisChecks(Checkup rounds, RedisOptions options) {
    this.rounds = rounds;
    this.options = options;
  }

  static void look(Checkup rounds, String uri) {
    RedisChecks checks = new RedisChecks(rounds, RedisOptions.of(uri));
    List<Server> servers = checks.options.servers();
    if (checks.options.topology() == Topology.SENTINEL) {
      servers = checks.masters(servers);
    }
    servers.forEach(checks::look);
  }

  /** Checks which master the sentinels name; a silent or dissenting sentinel is reported. */
  private List<Server> masters(List<Server> sentinels) {
    Map<String, Server> named = new HashMap<>();
    for (Server sentinel : sentinels) {
      try (Jedis jedis = connect(sentinel, options.sentinelLogin(), 0)) {
        List<String> master = jedis.sentinelGetMasterAddrByName(options.masterName());
        Server server = new Server(master.get(0), Integer.parseInt(master.get(1)));
        named.put(server.toString(), server);
        rounds.say(Finding.good("sentinel", sentinel + " names " + server));
      } catch (RuntimeException e) {
        rounds.say(
            Finding.warn(
                "sentinel",
                sentinel + " does not name the master: " + reason(e),
                "start or fix it"));
      }
    }
    if (named.size() > 1) {
      rounds.say(
          Finding.bad(
              "sentinel",
              "they name different masters: " + named.keySet(),
              "wait, then look again"));
    }
    return List.copyOf(named.values());
  }

  private void look(Server server) {
    try (Jedis jedis = connect(server, options.login(), options.database())) {
      Map<String, String> info = KeyValueLines.of(jedis.info());
      version(server, info);
      role(server, info);
      eviction(server, info);
      persistence(server, info);
      if (info.getOrDefault("cluster_enabled", "0").equals("1")) {
        cluster(server, KeyValueLines.of(jedis.clusterInfo()));
      }
      ClockCheck.look(rounds, "the clock of " + server, () -> millis(jedis.time()));
    } catch (Exception e) {
      rounds.say(
          Finding.warn(
              "server",
              server + " cannot be checked: " + reason(e),
              "start it, or give the user the rights to INFO and TIME"));
    }
  }

  private Jedis connect(Server server, Login login, int database) {
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis(TIMEOUT_MILLIS)
            .socketTimeoutMillis(TIMEOUT_MILLIS)
            .database(database);
    if (!login.password().isEmpty()) {
      config.password(login.password());
    }
    if (!login.user().isEmpty()) {
      config.user(login.user());
    }
    JedisClientConfig made = config.build();
    return options.tls().isPresent()
        ? new Jedis(() -> encrypted(server, options.tls().get()), made)
        : new Jedis(new HostAndPort(server.host(), server.port()), made);
  }

  /** As the engine does it: the name in the certificate is checked. */
  private static Socket encrypted(Server server, Tls tls) {
    try {
      Socket plain = new Socket();
      plain.setSoTimeout(TIMEOUT_MILLIS);
      plain.connect(new InetSocketAddress(server.host(), server.port()), TIMEOUT_MILLIS);
      SSLSocket socket =
          (SSLSocket) tls.sockets().createSocket(plain, server.host(), server.port(), true);
      SSLParameters parameters = tls.parameters().orElseGet(socket::getSSLParameters);
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      return socket;
    } catch (IOException e) {
      throw new JedisConnectionException(e);
    }
  }

  /** Errors of the client have no password in them; their first line is enough. */
  private static String reason(Exception e) {
    String message = e instanceof JedisException ? e.getMessage() : e.toString();
    return message == null ? e.getClass().getSimpleName() : message.lines().findFirst().orElse("");
  }

  private static double millis(List<String> time) {
    return Long.parseLong(time.get(0)) * 1000.0 + Long.parseLong(time.get(1)) / 1000.0;
  }

  private void version(Server server, Map<String, String> info) {
    String version = info.getOrDefault("redis_version", "?");
    int major =
        version.matches("\\d+\\..*")
            ? Integer.parseInt(version.substring(0, version.indexOf('.')))
            : 0;
    String text = server + " is " + product(info);
    rounds.say(
        major >= LEAST_VERSION
            ? Finding.good("version", text)
            : Finding.bad("version", text, "use 7.0 or later"));
  }

  /**
   * The name and version of the server. Valkey names the Redis that it is compatible with first,
   * and itself in fields of its own.
   */
  static String product(Map<String, String> info) {
    return info.containsKey("valkey_version")
        ? "Valkey " + info.get("valkey_version")
        : "Redis " + info.getOrDefault("redis_version", "?");
  }

  private void role(Server server, Map<String, String> info) {
    String role = info.getOrDefault("role", "?");
    int replicas = Integer.parseInt(info.getOrDefault("connected_slaves", "0"));
    if (!role.equals("master")) {
      boolean cluster = options.topology() == Topology.CLUSTER;
      rounds.say(
          cluster
              ? Finding.note("role", server + " is a replica")
              : Finding.bad("role", server + " is a " + role, "name the master"));
    } else if (replicas > 0 && !options.strict() && options.topology() != Topology.REDLOCK) {
      rounds.say(
          Finding.note(
              "role",
              server
                  + " is a master with "
                  + replicas
                  + " replicas: a failover may forget the last grants, unless strict=true"));
    } else {
      rounds.say(Finding.good("role", server + " is a master with " + replicas + " replicas"));
    }
  }

  private void eviction(Server server, Map<String, String> info) {
    String policy = info.getOrDefault("maxmemory_policy", "?");
    boolean bounded = !info.getOrDefault("maxmemory", "0").equals("0");
    if (bounded && !policy.equals("noeviction")) {
      rounds.say(
          Finding.bad(
              "eviction",
              server
                  + " evicts keys when its memory is full, locks too: maxmemory-policy "
                  + policy,
              "set maxmemory-policy to noeviction, or use a separate server for locks"));
    } else {
      rounds.say(
          Finding.good(
              "eviction", server + (bounded ? " evicts nothing" : " has no limit of memory")));
    }
  }

  private void persistence(Server server, Map<String, String> info) {
    boolean aof = info.getOrDefault("aof_enabled", "0").equals("1");
    boolean failed =
        aof
            ? !info.getOrDefault("aof_last_write_status", "ok").equals("ok")
            : !info.getOrDefault("rdb_last_bgsave_status", "ok").equals("ok");
    if (failed) {
      rounds.say(
          Finding.bad(
              "persistence", server + " could not save its data", "see its log and its disk"));
    } else if (aof) {
      rounds.say(Finding.good("persistence", server + " keeps a log (appendonly)"));
    } else {
      rounds.say(
          Finding.note(
              "persistence",
              server
                  + " has no appendonly log: a restart forgets who holds what; tokens still rise"));
    }
  }

  private void cluster(Server server, Map<String, String> info) {
    String state = info.getOrDefault("cluster_state", "?");
    String text = server + ": the cluster is " + state;
    rounds.say(
        state.equals("ok")
            ? Finding.good("cluster", text)
            : Finding.bad("cluster", text, "see CLUSTER INFO: slots are not served"));
  }
}
