package io.holdfast.benchmarks.peers;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.bench.DatabaseAddress;
import io.holdfast.cli.bench.RedisAddress;
import io.holdfast.cli.bench.StoreKind;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses store URIs for peers. Only the plain forms: each client writes the rest its own way.
 *
 * <p>Every method throws {@link CliException} if the URI has any other form. The message does not
 * quote the URI, which may contain a password.
 */
final class PeerAddresses {

  private static final Pattern ETCD = Pattern.compile("etcd://([A-Za-z0-9._-]+:\\d{1,5})");
  private static final Pattern ZOOKEEPER = Pattern.compile("zookeeper://([A-Za-z0-9._:,-]+)/?");

  private PeerAddresses() {}

  /** Checks that a peer works with the store. */
  static void require(Peer peer, String uri) {
    if (peer.stores().isEmpty()) {
      return;
    }
    switch (peer.stores().get(0)) {
      case REDIS -> redis(uri);
      case ETCD -> etcdEndpoint(uri);
      case ZOOKEEPER -> zooKeeperHosts(uri);
      case POSTGRES, MARIADB, SQLITE -> requireDatabase(peer, database(uri).kind());
    }
  }

  private static void requireDatabase(Peer peer, StoreKind kind) {
    if (!peer.stores().contains(kind)) {
      throw new CliException(
          ExitCode.USAGE,
          "--store must be " + peer.stores().get(0).prefix() + "//… for " + peer.name());
    }
  }

  /** Parses {@code redis://host:port}. */
  static RedisAddress redis(String uri) {
    return RedisAddress.of(uri).orElseThrow(() -> refusal("redis://host:port", "Redis"));
  }

  /** Parses the JDBC URL of a PostgreSQL or MariaDB server. */
  static DatabaseAddress database(String uri) {
    return DatabaseAddress.of(uri)
        .orElseThrow(() -> refusal("jdbc:postgresql://… or jdbc:mariadb://…", "a database"));
  }

  /** Returns the HTTP endpoint of {@code etcd://host:port}. */
  static String etcdEndpoint(String uri) {
    return match(ETCD, uri, "http://", "etcd://host:port", "etcd");
  }

  /** Returns the hosts and ports of {@code zookeeper://host:port,…}. */
  static String zooKeeperHosts(String uri) {
    return match(ZOOKEEPER, uri, "", "zookeeper://host:port", "ZooKeeper");
  }

  private static String match(
      Pattern pattern, String uri, String prefix, String form, String store) {
    Matcher matcher = pattern.matcher(uri);
    if (!matcher.matches()) {
      throw refusal(form, store);
    }
    return prefix + matcher.group(1);
  }

  private static CliException refusal(String form, String store) {
    return new CliException(ExitCode.USAGE, "--store must be " + form + " for peers over " + store);
  }
}
