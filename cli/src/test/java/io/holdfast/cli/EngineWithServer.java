package io.holdfast.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.HoldfastOptions;
import io.holdfast.cli.store.DefaultStore;
import io.holdfast.rig.process.ReadyCheck;
import io.holdfast.rig.process.ServerProcess;
import io.holdfast.rig.process.ServerSpec;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.server.LockServer;
import io.holdfast.server.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Every engine that processes can share, with its real server. */
public enum EngineWithServer {
  /** The store that needs no set-up. */
  SQLITE {
    @Override
    public Store start(Path folder) {
      String uri = DefaultStore.uri(folder.resolve("state/holdfast"));
      return new Store(this, List.of(), port -> uri, () -> {});
    }
  },
  /** Through a lock service. */
  SERVICE {
    @Override
    public Store start(Path folder) {
      LockServer server = serve("memory:");
      String uri = server.address();
      return new Store(this, List.of(), port -> uri, server);
    }
  },
  REDIS {
    @Override
    public Store start(Path folder) {
      RedisServer server = RedisServer.start();
      return new Store(this, server.process(), port -> "redis://127.0.0.1:" + port, server);
    }
  },
  REDLOCK {
    @Override
    public Store start(Path folder) {
      RedisMasters masters = RedisMasters.start(3);
      List<ServerProcess> all = masters.servers().stream().map(RedisServer::process).toList();
      return new Store(this, all, port -> "redlock://" + masters.addresses(), masters);
    }
  },
  POSTGRESQL {
    @Override
    public Store start(Path folder) {
      PostgresServer server = PostgresServer.start();
      String rest = "/" + PostgresServer.DATABASE + "?user=" + server.user();
      IntFunction<String> uri = port -> "jdbc:postgresql://127.0.0.1:" + port + rest;
      return new Store(this, server.process(), uri, server);
    }
  },
  MARIADB {
    @Override
    public Store start(Path folder) {
      MariaDbServer server = MariaDbServer.start();
      server.createDatabase("app");
      String rest = "/app?user=" + server.user();
      IntFunction<String> uri = port -> "jdbc:mariadb://127.0.0.1:" + port + rest;
      return new Store(this, server.process(), uri, server);
    }
  },
  MYSQL {
    @Override
    public Store start(Path folder) {
      assumeTrue(MySqlServer.isAvailable(), MySqlServer.MISSING);
      MySqlServer server = MySqlServer.start();
      server.createDatabase("app");
      // The jar has MariaDB's driver alone, which accepts the scheme if configured to.
      String rest = "/app?permitMysqlScheme&user=" + server.user();
      IntFunction<String> uri = port -> "jdbc:mysql://127.0.0.1:" + port + rest;
      return new Store(this, server.process(), uri, server);
    }
  },
  H2 {
    @Override
    public Store start(Path folder) {
      ServerProcess server = ServerProcess.start(h2());
      IntFunction<String> uri = port -> "jdbc:h2:tcp://127.0.0.1:" + port + "/./app;USER=sa";
      return new Store(this, server, uri, server);
    }
  },
  ZOOKEEPER {
    @Override
    public Store start(Path folder) {
      ZooKeeperServer server =
          ZooKeeperServer.start(ZooKeeperServerOptions.PLAIN.with("maxSessionTimeout", "60000"));
      return new Store(this, server.process(), port -> "zookeeper://127.0.0.1:" + port, server);
    }
  },
  ETCD {
    @Override
    public Store start(Path folder) {
      EtcdServer server = EtcdServer.start();
      return new Store(this, server.process(), port -> "etcd://127.0.0.1:" + port, server);
    }
  };

  /**
   * A file, a lock service, a server with expiring keys, and a server that keeps leases. What the
   * program itself does is the same for all; {@code -Dlong} shows it on the others too.
   */
  private static final Set<EngineWithServer> USUAL = EnumSet.of(SQLITE, SERVICE, REDIS, ETCD);

  /**
   * The engines that tests of the program use in this run; {@code -Dengines=REDIS,H2} names others.
   */
  public static Stream<EngineWithServer> ofThisRun() {
    String named = System.getProperty("engines");
    if (named != null) {
      return Stream.of(named.split(",", -1)).map(EngineWithServer::valueOf);
    }
    boolean all = System.getProperty("long") != null;
    return Stream.of(values()).filter(engine -> all || USUAL.contains(engine));
  }

  /** Those engines that have an inspector and leave marks. */
  public static Stream<EngineWithServer> thatCanBeLookedInto() {
    return ofThisRun().filter(engine -> engine != REDLOCK);
  }

  /** Those engines whose store a test can take away; the service runs in its own process. */
  public static Stream<EngineWithServer> thatCanBeStopped() {
    return ofThisRun().filter(engine -> engine != SERVICE);
  }

  /** Those engines that one process can be cut off from. */
  public static Stream<EngineWithServer> withOneServer() {
    return ofThisRun().filter(engine -> !Set.of(REDLOCK, SQLITE, SERVICE).contains(engine));
  }

  /** Starts its server; the folder is that of {@link CliProcess.Setup#in}. */
  public abstract Store start(Path folder);

  /** With leases as short as tests have them. */
  private static LockServer serve(String store) {
    try {
      return LockServer.start(
          store, ServerOptions.DEFAULTS.withPort(0).withLeaseFloor(HoldfastOptions.LEASE_FLOOR));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ServerSpec h2() {
    String java = System.getProperty("java.home") + "/bin/java";
    String path = System.getProperty("java.class.path");
    return ServerSpec.of(
        "h2",
        place ->
            List.of(
                java,
                "-Xmx128m",
                "-cp",
                path,
                "org.h2.tools.Server",
                "-tcp",
                "-tcpPort",
                Integer.toString(place.port()),
                "-ifNotExists",
                "-baseDir",
                "."),
        ReadyCheck.acceptsConnections());
  }

  /** Whether it has more than mutexes in order ANY. */
  public boolean hasAllPrimitives() {
    return this != REDLOCK;
  }

  /**
   * A running store.
   *
   * @param servers none for a file
   * @param address the address on another port, such as that of a proxy
   */
  public record Store(
      EngineWithServer engine,
      List<ServerProcess> servers,
      IntFunction<String> address,
      AutoCloseable closer)
      implements AutoCloseable {

    Store(
        EngineWithServer engine,
        ServerProcess server,
        IntFunction<String> address,
        AutoCloseable closer) {
      this(engine, List.of(server), address, closer);
    }

    /** Its address. */
    public String uri() {
      return uri(servers.isEmpty() ? 0 : servers.get(0).port());
    }

    /** Its address through a proxy. */
    public String uri(int port) {
      return address.apply(port);
    }

    @Override
    public void close() {
      try {
        closer.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
