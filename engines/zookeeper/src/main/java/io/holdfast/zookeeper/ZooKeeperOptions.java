package io.holdfast.zookeeper;

import io.holdfast.spi.support.Bounds;
import io.holdfast.spi.support.TlsFiles;
import io.holdfast.zookeeper.connection.ClientSettings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.ZooDefs;

/**
 * The servers of an ensemble and how to use them. Immutable.
 *
 * <p>Each {@code with…} method returns a changed copy. No text from here contains a password: not
 * {@link #toString()}, not {@link #address()}, no error.
 *
 * @param servers some or all servers of the ensemble
 * @param chroot the parent of all nodes, such as {@code /apps/orders}; empty: the root
 * @param login for the servers, by the scheme {@code digest}
 * @param tls how connections are encrypted; empty: they are not
 * @param acl who may use the created nodes
 */
public record ZooKeeperOptions(
    List<Server> servers, String chroot, Optional<Login> login, Optional<Tls> tls, Acl acl) {

  /** Who may use the created nodes. */
  public enum Acl {
    /** Every client that reaches the servers. */
    OPEN,
    /** Clients with the same login; requires one. */
    CREATOR
  }

  /** The host and port of a server. */
  public record Server(String host, int port) {

    /** Rejects an empty host and ports outside of 1 to 65535. */
    public Server {
      if (host.isEmpty()) {
        throw new IllegalArgumentException("there must be a host before each port and comma");
      }
      Bounds.require("port", port, 1, 65_535);
    }

    /** Returns the server as in a URI: an IPv6 address is in brackets. */
    @Override
    public String toString() {
      return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
  }

  /** The user name and password for the servers. */
  public record Login(String user, String password) {

    /** Rejects an empty user or password. */
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
   * @param trustStore the trusted certificates; empty: the JDK's
   * @param keyStore the client's own certificate, for servers that require one
   */
  public record Tls(Optional<Store> trustStore, Optional<Store> keyStore) {

    /** The certificates that this Java trusts, and no client certificate. */
    public static final Tls STANDARD = new Tls(Optional.empty(), Optional.empty());

    private TlsFiles files() {
      return new TlsFiles(trustStore.map(Store::toStoreFile), keyStore.map(Store::toStoreFile));
    }
  }

  /** A file with certificates or keys, and its password. */
  public record Store(Path file, String password) {

    private TlsFiles.StoreFile toStoreFile() {
      return new TlsFiles.StoreFile(file, password);
    }

    @Override
    public String toString() {
      return file.toString();
    }
  }

  /** Copies the list and checks the combination. */
  public ZooKeeperOptions {
    servers = List.copyOf(servers);
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("at least one server is required");
    }
    if (!chroot.isEmpty() && !chroot.matches("(/[^/\\x00-\\x1f]+)+")) {
      throw new IllegalArgumentException("chroot must be a path such as /apps: chroot=" + chroot);
    }
    if (acl == Acl.CREATOR && login.isEmpty()) {
      throw new IllegalArgumentException("acl=creator needs a user and a password");
    }
  }

  /**
   * Parses {@code zookeeper://[user:password@]host[:port][,host[:port]…][/chroot][?parameters]}.
   * With a login, nodes are created for clients with the same login. Parameters: {@code tls},
   * {@code trustStore}, {@code trustStorePassword}, {@code keyStore}, {@code keyStorePassword},
   * {@code acl}.
   *
   * @throws IllegalArgumentException when the address is invalid; the message contains no secrets
   */
  public static ZooKeeperOptions of(String uri) {
    return ZooKeeperUri.parse(uri);
  }

  /** Returns a copy with another login; nodes are created for clients with the same login. */
  public ZooKeeperOptions withLogin(Login other) {
    return new ZooKeeperOptions(servers, chroot, Optional.of(other), tls, Acl.CREATOR);
  }

  /** Returns a copy with encrypted connections. */
  public ZooKeeperOptions withTls(Tls other) {
    return new ZooKeeperOptions(servers, chroot, login, Optional.of(other), acl);
  }

  /** Returns a copy with other rights on created nodes. */
  public ZooKeeperOptions withAcl(Acl other) {
    return new ZooKeeperOptions(servers, chroot, login, tls, other);
  }

  /** Returns a copy with all nodes below this one. */
  public ZooKeeperOptions withChroot(String path) {
    return new ZooKeeperOptions(servers, path, login, tls, acl);
  }

  /** Returns the address for errors and listings, without secrets and parameters. */
  public String address() {
    return "zookeeper://" + hosts() + chroot;
  }

  /** Returns the servers as ZooKeeper's own client takes them. */
  String hosts() {
    return String.join(",", servers.stream().map(Server::toString).toList());
  }

  /** Returns these options as the connection package takes them. */
  ClientSettings clientSettings() {
    return new ClientSettings(
        servers.stream()
            .map(server -> InetSocketAddress.createUnresolved(server.host(), server.port()))
            .toList(),
        hosts(),
        login.map(each -> each.user() + ":" + each.password()),
        tls.map(Tls::files),
        acl == Acl.CREATOR ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE);
  }
}
