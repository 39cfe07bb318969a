package io.holdfast.rig.servers;

import io.holdfast.rig.process.ServerLocation;
import io.holdfast.rig.process.ServerSpec;
import io.holdfast.rig.process.ShortLivedServers;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a ZooKeeper server is started. Immutable; the {@code with…} methods return a changed copy.
 *
 * @param tick the server's unit of time; sessions last 2 to 20 of them
 * @param settings more lines of its configuration; they win
 * @param certificates with them it also listens for TLS, on a port of its own
 */
public record ZooKeeperServerOptions(
    Duration tick, Map<String, String> settings, Optional<TestCertificates> certificates) {

  /** One server, ticks of 200 ms: sessions of 0.4 to 4 s. */
  public static final ZooKeeperServerOptions PLAIN =
      new ZooKeeperServerOptions(Duration.ofMillis(200), Map.of(), Optional.empty());

  static final String CONFIGURATION = "zoo.cfg";
  static final String TLS_PORT = "tls";
  private static final Path JARS = Path.of("/usr/share/java");
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(5);

  /** Copies the map. */
  public ZooKeeperServerOptions {
    settings = Map.copyOf(settings);
  }

  /** With another unit of time. */
  public ZooKeeperServerOptions withTick(Duration other) {
    return new ZooKeeperServerOptions(other, settings, certificates);
  }

  /** With one more line of configuration. */
  public ZooKeeperServerOptions with(String key, String value) {
    Map<String, String> more = new TreeMap<>(settings);
    more.put(key, value);
    return new ZooKeeperServerOptions(tick, more, certificates);
  }

  /** Also listens for TLS. */
  public ZooKeeperServerOptions withTls(TestCertificates those) {
    return new ZooKeeperServerOptions(tick, settings, Optional.of(those));
  }

  /** A server by itself. */
  ServerSpec spec() {
    return ServerSpec.of(
            "zookeeper", ZooKeeperServerOptions::command, (place, pid) -> isReady(place))
        .withPreparation(this::configure)
        .withBounds(START, STOP);
  }

  void configure(ServerLocation place) throws IOException {
    Map<String, String> lines = new TreeMap<>();
    lines.put("tickTime", Long.toString(tick.toMillis()));
    lines.put("initLimit", "20");
    lines.put("syncLimit", "10");
    lines.put("dataDir", place.folder().resolve("data").toString());
    lines.put("clientPort", Integer.toString(place.port()));
    lines.put("clientPortAddress", "127.0.0.1");
    lines.put("maxClientCnxns", "0");
    lines.put("admin.enableServer", "false");
    lines.put("4lw.commands.whitelist", "*");
    // As long as the log is written at all, what counts here is the order, not the disk.
    lines.put("forceSync", "no");
    certificates.ifPresent(those -> encrypt(those, place, lines));
    lines.putAll(settings);
    List<String> text = new ArrayList<>();
    lines.forEach((key, value) -> text.add(key + "=" + value));
    Files.createDirectories(place.folder().resolve("data"));
    Files.write(place.folder().resolve(CONFIGURATION), text);
  }

  private static void encrypt(
      TestCertificates those, ServerLocation place, Map<String, String> lines) {
    lines.put("secureClientPort", Integer.toString(place.port(TLS_PORT)));
    lines.put("serverCnxnFactory", "org.apache.zookeeper.server.NettyServerCnxnFactory");
    lines.put("ssl.keyStore.location", those.serverKeyStore().toString());
    lines.put("ssl.keyStore.password", TestCertificates.PASSWORD);
    lines.put("ssl.trustStore.location", those.trustStore().toString());
    lines.put("ssl.trustStore.password", TestCertificates.PASSWORD);
    lines.put("ssl.clientAuth", "none");
  }

  /** The program comes as jars: a JVM of its own runs them. */
  static List<String> command(ServerLocation place) {
    Path jar = JARS.resolve("zookeeper.jar");
    if (!Files.isReadable(jar)) {
      throw new IllegalStateException(
          "there is no "
              + jar
              + "; it comes with the Debian package zookeeper: apt-get install zookeeper");
    }
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
    command.addAll(ShortLivedServers.jvmOptions());
    command.add("-Djava.io.tmpdir=" + place.folder());
    // An empty line is removed while a test waits for it.
    command.add("-Dznode.container.checkIntervalMs=1000");
    command.addAll(List.of("-cp", classPath(jar)));
    command.add("org.apache.zookeeper.server.quorum.QuorumPeerMain");
    command.add(place.folder().resolve(CONFIGURATION).toString());
    return command;
  }

  /** The package's own class path has no codecs of Netty, without which there is no TLS. */
  private static String classPath(Path jar) {
    return Stream.of("slf4j-simple.jar", "netty-codec.jar", "netty-resolver.jar")
        .map(name -> JARS.resolve(name).toString())
        .collect(Collectors.joining(File.pathSeparator, jar + File.pathSeparator, ""));
  }

  /** It says so itself, and where its data are: a stranger on the port does not have ours. */
  static boolean isReady(ServerLocation place) throws IOException {
    String mode = ZooKeeperWords.ask(place.address(), "srvr").toLowerCase(Locale.ROOT);
    return mode.contains("mode:")
        && ZooKeeperWords.ask(place.address(), "conf").contains(place.folder().toString());
  }
}
