package io.holdfast.redis;

import io.holdfast.redis.RedisOptions.Login;
import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.RedisOptions.Tls;
import io.holdfast.redis.RedisOptions.Topology;
import io.holdfast.spi.support.StoreUri;
import io.holdfast.spi.support.TlsFiles;
import io.holdfast.spi.support.UriParameters;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Parses the address of a Redis store. */
final class RedisUri {

  private static final String TLS_SCHEME = "rediss";
  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;

  private static final Set<String> COMMON =
      Set.of("connectTimeout", "strict", "maxLease", "tls", "trustStore", "trustStorePassword");
  private static final Set<String> REPLICATED =
      Set.of("signals", "minReplicas", "replicaTimeout", "quarantine");

  private RedisUri() {}

  static String scheme(Topology topology, boolean tls) {
    return switch (topology) {
      case SINGLE -> tls ? TLS_SCHEME : "redis";
      case SENTINEL -> "redis-sentinel";
      case CLUSTER -> "redis-cluster";
      case REDLOCK -> "redlock";
    };
  }

  static RedisOptions parse(String text) {
    StoreUri uri =
        StoreUri.parse(text, "redis", TLS_SCHEME, "redis-sentinel", "redis-cluster", "redlock");
    Topology topology = topology(uri.scheme());
    UriParameters parameters = uri.parameters(known(topology));
    RedisOptions.Draft draft = new RedisOptions.Draft(topology, servers(uri, topology));
    uri.loginOrPassword()
        .ifPresent(login -> draft.login = new Login(login.user(), login.password()));
    applyPath(draft, uri.path());
    apply(draft, parameters);
    draft.tls =
        parameters
            .tls(Optional.of(uri.scheme()).filter(TLS_SCHEME::equals), "rediss:// or tls=true")
            .map(RedisUri::tls);
    return draft.build();
  }

  private static Topology topology(String scheme) {
    return switch (scheme) {
      case "redis-sentinel" -> Topology.SENTINEL;
      case "redis-cluster" -> Topology.CLUSTER;
      case "redlock" -> Topology.REDLOCK;
      default -> Topology.SINGLE;
    };
  }

  private static List<Server> servers(StoreUri uri, Topology topology) {
    return uri.servers(topology == Topology.SENTINEL ? SENTINEL_PORT : PORT).stream()
        .map(each -> new Server(each.host(), each.port()))
        .toList();
  }

  private static Set<String> known(Topology topology) {
    Set<String> known = new TreeSet<>(COMMON);
    known.addAll(topology == Topology.REDLOCK ? Set.of("nodeTimeout") : REPLICATED);
    if (topology == Topology.SENTINEL) {
      known.addAll(Set.of("sentinelUser", "sentinelPassword"));
    }
    return known;
  }

  private static void apply(RedisOptions.Draft draft, UriParameters parameters) {
    parameters.time("connectTimeout").ifPresent(value -> draft.connectTimeout = value);
    parameters.flag("strict").ifPresent(value -> draft.strict = value);
    parameters.flag("signals").ifPresent(value -> draft.signals = value);
    parameters.number("minReplicas").ifPresent(value -> draft.minReplicas = value);
    parameters.time("replicaTimeout").ifPresent(value -> draft.replicaTimeout = value);
    parameters.time("quarantine").ifPresent(value -> draft.quarantine = value);
    parameters.time("maxLease").ifPresent(value -> draft.maxLease = value);
    parameters.time("nodeTimeout").ifPresent(value -> draft.nodeTimeout = value);
    draft.sentinelLogin =
        new Login(
            parameters.text("sentinelUser").orElse(""),
            parameters.text("sentinelPassword").orElse(""));
  }

  private static Tls tls(TlsFiles files) {
    return files
        .trustStore()
        .map(store -> Tls.trusting(store.file(), store.password()))
        .orElseGet(Tls::standard);
  }

  private static void applyPath(RedisOptions.Draft draft, String path) {
    boolean sentinels = draft.topology == Topology.SENTINEL;
    String shape = sentinels ? "/master or /master/database" : "/database";
    String[] parts = path.isEmpty() ? new String[0] : path.substring(1).split("/", -1);
    int at = 0;
    if (sentinels && parts.length > 0) {
      draft.masterName = UriParameters.decode("master", parts[at++]);
    }
    if (parts.length > at && !parts[at].isEmpty()) {
      draft.database = database(parts[at], shape);
    }
    if (parts.length > at + 1) {
      throw new IllegalArgumentException("path must be " + shape + ": path=" + path);
    }
  }

  private static int database(String text, String shape) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "database must be a number, path " + shape + ": database=" + text);
    }
  }
}
