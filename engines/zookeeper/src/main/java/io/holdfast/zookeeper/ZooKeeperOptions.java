package io.holdfast.zookeeper;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where the servers are and how they are used. Immutable; each {@code with…} answers a changed
 * copy. Nothing here shows a password: not {@link #toString()}, not {@link #address()}, no error.
 *
 * @param servers some or all of the ensemble
 * @param chroot the node that everything is below, such as {@code /apps/orders}; empty: the root
 * @param login for the servers, by the scheme {@code digest}
 * @param tls encrypted connections, if wanted
 * @param acl who may use the nodes that are made
 */
public record ZooKeeperOptions(
    List<Server> servers, String chroot, Optional<Login> login, Optional<Tls> tls, Acl acl) {

  /** Who may use the nodes that are made. */
  public enum Acl {
    /** Whoever reaches the servers. */
    OPEN,
    /** Those that have the same login; needs one. */
    CREATOR
  }

  /** Where a server listens. */
  public record Server(String host, int port) {

    /** Says no to an empty host and to ports that there are not. */
    public Server {
      if (host.isEmpty()) {
        throw new IllegalArgumentException("there must be a host before each port and comma");
      }
      if (port < 1 || port > 65_535) {
        throw new IllegalArgumentException("port must be 1..65535: port=" + port);
      }
    }

    /** As in a URI: an IPv6 address is in brackets. */
    @Override
    public String toString() {
      return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
  }

  /** Who we are to the servers. */
  public record Login(String user, String password) {

    /** Says no to half a login. */
    public Login {
      if (user.isEmpty() || password.isEmpty()) {
        throw new IllegalArgumentException("a login is a user and a password");
      }
    }

    @Override
    public String toString() {
      return user + ":***";
    }
  }

  /**
   * How connections are encrypted. The name in the server's certificate is always checked.
   *
   * @param trustStore whose certificates are trusted; without one, what this Java trusts
   * @param keyStore our own certificate, for servers that ask for one
   */
  public record Tls(Optional<Store> trustStore, Optional<Store> keyStore) {

    /** What this Java trusts, and no certificate of our own. */
    public static final Tls STANDARD = new Tls(Optional.empty(), Optional.empty());
  }

  /** A file with certificates or keys, and its password. */
  public record Store(Path file, String password) {

    @Override
    public String toString() {
      return file.toString();
    }
  }

  /** Copies the list and checks what belongs together. */
  public ZooKeeperOptions {
    servers = List.copyOf(servers);
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("there must be a server");
    }
    if (!chroot.isEmpty() && !chroot.matches("(/[^/\\x00-\\x1f]+)+")) {
      throw new IllegalArgumentException("chroot must be a path such as /apps: chroot=" + chroot);
    }
    if (acl == Acl.CREATOR && login.isEmpty()) {
      throw new IllegalArgumentException("acl=creator needs a user and a password");
    }
  }

  /**
   * Reads {@code zookeeper://[user:password@]host[:port][,host[:port]…][/chroot][?parameters]}.
   * With a login, nodes are for those that have the same one. Parameters: {@code tls}, {@code
   * trustStore}, {@code trustStorePassword}, {@code keyStore}, {@code keyStorePassword}, {@code
   * acl}.
   *
   * @throws IllegalArgumentException when it is not understood; the message has no secrets
   */
  public static ZooKeeperOptions of(String uri) {
    return ZooKeeperUri.parse(uri);
  }

  /** With a login; nodes are for those that have it. */
  public ZooKeeperOptions withLogin(Login other) {
    return new ZooKeeperOptions(servers, chroot, Optional.of(other), tls, Acl.CREATOR);
  }

  /** With encrypted connections. */
  public ZooKeeperOptions withTls(Tls other) {
    return new ZooKeeperOptions(servers, chroot, login, Optional.of(other), acl);
  }

  /** With other rights on the nodes that are made. */
  public ZooKeeperOptions withAcl(Acl other) {
    return new ZooKeeperOptions(servers, chroot, login, tls, other);
  }

  /** Below another node. */
  public ZooKeeperOptions withChroot(String path) {
    return new ZooKeeperOptions(servers, path, login, tls, acl);
  }

  /** The address for errors and listings, without secrets and parameters. */
  public String address() {
    return "zookeeper://" + hosts() + chroot;
  }

  /** The servers as ZooKeeper's own client takes them. */
  String hosts() {
    return String.join(",", servers.stream().map(Server::toString).toList());
  }
}
