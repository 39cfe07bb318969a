package io.holdfast.classpaths;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.RedisCluster;
import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.rig.servers.RedisSentinels;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.RedisServerOptions;
import io.holdfast.rig.servers.TestCertificates;
import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import io.holdfast.rig.time.Figure;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every engine with the versions of clients, drivers and Netty that Spring Boot manages, in a JVM
 * that has nothing else on its class path. A program whose build imports Spring Boot's BOM gets
 * these instead of ours, without being asked.
 */
@Timeout(300)
@DisplayName("with the versions that Spring Boot manages, every engine works")
class SpringBootIT {

  private static final Duration BOUND = Duration.ofSeconds(90);

  /** The jars that a figure names. */
  private static final List<String> NAMED =
      List.of(
          "jedis",
          "lettuce-core",
          "netty-common",
          "zookeeper",
          "grpc-core",
          "protobuf-java",
          "postgresql",
          "mariadb-java-client",
          "mysql-connector-j",
          "h2",
          "sqlite-jdbc",
          "HikariCP",
          "micrometer-core",
          "slf4j-api");

  private static final Deque<AutoCloseable> RUNNING = new ArrayDeque<>();
  private static final Map<String, String> SERVERS = new LinkedHashMap<>();

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    TestCertificates certificates = keep(TestCertificates.create());
    String trust =
        "trustStore="
            + certificates.trustStore()
            + "&trustStorePassword="
            + TestCertificates.PASSWORD;
    RedisServer redis = keep(RedisServer.start());
    RedisServer redisTls = keep(RedisServer.start(RedisServerOptions.PLAIN.withTls(certificates)));
    SERVERS.put("redis", redis.uri());
    SERVERS.put("redis-tls", redisTls.uri() + "?" + trust);
    SERVERS.put("redlock", "redlock://" + keep(RedisMasters.start(3)).addresses());
    SERVERS.put("redis-sentinel", keep(RedisSentinels.start()).uri());
    SERVERS.put("redis-cluster", keep(RedisCluster.start()).uri());
    SERVERS.put("lettuce", redis.uri());
    PostgresServer postgres = keep(PostgresServer.start());
    String postgresUri = postgres.jdbcUri(PostgresServer.DATABASE) + "?user=" + postgres.user();
    SERVERS.put("postgresql", postgresUri);
    SERVERS.put("postgresql-session", postgresUri + "&holdfast.mode=session");
    SERVERS.put("postgresql-row", postgresUri + "&holdfast.mode=row");
    SERVERS.put("hikari", postgresUri);
    MariaDbServer mariadb = keep(MariaDbServer.start());
    mariadb.createDatabase("app");
    String mariadbUri = mariadb.jdbcUri("app") + "?user=" + mariadb.user();
    SERVERS.put("mariadb", mariadbUri);
    SERVERS.put("mariadb-session", mariadbUri + "&holdfast.mode=session");
    SERVERS.put("mariadb-row", mariadbUri + "&holdfast.mode=row");
    if (MySqlServer.isAvailable()) {
      MySqlServer mysql = keep(MySqlServer.start());
      mysql.createDatabase("app");
      String mysqlUri = mysql.jdbcUri("app", mysql.user());
      SERVERS.put("mysql", mysqlUri);
      SERVERS.put("mysql-session", mysqlUri + "&holdfast.mode=session");
      SERVERS.put("mysql-row", mysqlUri + "&holdfast.mode=row");
    } else {
      System.out.println(MySqlServer.MISSING);
    }
    ZooKeeperServer zookeeper =
        keep(
            ZooKeeperServer.start(
                ZooKeeperServerOptions.PLAIN
                    .with("maxSessionTimeout", "60000")
                    .withTls(certificates)));
    SERVERS.put("zookeeper", zookeeper.uri());
    SERVERS.put(
        "zookeeper-tls", "zookeeper://127.0.0.1:" + zookeeper.tlsPort() + "?tls=true&" + trust);
    EtcdServer etcdTls = keep(EtcdServer.startWithTls(certificates));
    SERVERS.put("etcd", keep(EtcdServer.start()).uri());
    SERVERS.put("etcd-tls", "etcds://127.0.0.1:" + etcdTls.port() + "?" + trust);
  }

  private static <T extends AutoCloseable> T keep(T started) {
    RUNNING.push(started);
    return started;
  }

  @AfterAll
  static void stop() throws Exception {
    while (!RUNNING.isEmpty()) {
      RUNNING.pop().close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.5", "4.0", "4.1"})
  void everyEngine(String version) throws Exception {
    String classpath = classpath(version);
    Figure.print("Spring Boot %s: %s", version, named(classpath));
    Map<String, String> stores = new LinkedHashMap<>(SERVERS);
    stores.put("h2", "jdbc:h2:" + folder.resolve("h2"));
    stores.put("sqlite", "jdbc:sqlite:" + folder.resolve("sqlite.db"));

    List<String> lines = run(version, classpath, stores);
    Figure.print(
        "Spring Boot %s: %s",
        version,
        lines.stream()
            .filter(line -> line.startsWith("ok "))
            .map(line -> line.substring("ok ".length()) + " ms")
            .collect(Collectors.joining(", ")));
    List<String> passed =
        lines.stream()
            .filter(line -> line.startsWith("ok "))
            .map(line -> line.split(" ", -1)[1])
            .toList();
    assertThat(passed)
        .as(String.join("\n", lines))
        .containsExactlyInAnyOrderElementsOf(stores.keySet());
  }

  /** As the build has written it down: nothing of ours but the engines, nothing of the tests. */
  private static String classpath(String version) throws Exception {
    Path file =
        Path.of(
            System.getProperty("classpaths.folder"),
            "spring-boot-" + version,
            System.getProperty("classpaths.build"),
            "classpath.txt");
    return System.getProperty("classpaths.smoke")
        + File.pathSeparator
        + Files.readString(file).strip();
  }

  private static String named(String classpath) {
    return Stream.of(classpath.split(File.pathSeparator, -1))
        .map(path -> String.valueOf(Path.of(path).getFileName()).replaceFirst("\\.jar$", ""))
        .filter(jar -> NAMED.stream().anyMatch(name -> jar.matches(name + "-\\d.*")))
        .collect(Collectors.joining(" "));
  }

  private List<String> run(String version, String classpath, Map<String, String> stores)
      throws Exception {
    Path out = folder.resolve("out");
    List<String> line = new ArrayList<>();
    line.add(System.getProperty("java.home") + "/bin/java");
    line.addAll(List.of("-Xmx256m", "-cp", classpath, Smoke.class.getName(), "boot-" + version));
    stores.forEach((label, address) -> line.add(label + "=" + address));
    Process process =
        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      boolean ended = process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS);
      List<String> lines = Files.readAllLines(out);
      assertThat(ended).as("ended in time: " + String.join("\n", lines)).isTrue();
      return lines;
    } finally {
      process.destroyForcibly();
    }
  }
}
