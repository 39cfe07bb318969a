package io.holdfast.benchmarks;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The peers over a ZooKeeper server. */
final class ZooKeeperPeers {

  static final String CURATOR = "curator-mutex";
  static final String CURATOR_SEMAPHORE = "curator-semaphore";

  /** The floor. */
  static final String RAW = "zookeeper-raw";

  /** The same nodes, made and deleted through Curator's framework. */
  static final String FRAMEWORK = "curator-framework";

  private static final Pattern PLAIN = Pattern.compile("zookeeper://([A-Za-z0-9._:,-]+)/?");

  /** Makes a contender, once the servers are known. */
  @FunctionalInterface
  interface Maker {
    Contender make(String hosts, int sessionMillis);
  }

  static final Map<String, Maker> BY_NAME =
      Map.of(
          CURATOR,
          (hosts, millis) -> new CuratorContender(CURATOR, true, hosts, millis),
          CURATOR_SEMAPHORE,
          (hosts, millis) -> new CuratorContender(CURATOR_SEMAPHORE, false, hosts, millis),
          FRAMEWORK,
          FrameworkContender::new,
          RAW,
          RawNodeContender::new);

  private ZooKeeperPeers() {}

  /**
   * Takes {@code zookeeper://host:port,…} apart.
   *
   * @throws BadOptionException when it has another form; without quoting it, as it may have a
   *     password
   */
  static String hosts(String uri) {
    Matcher matcher = PLAIN.matcher(uri);
    if (!matcher.matches()) {
      throw new BadOptionException(
          "--store must be zookeeper://host:port for peers over ZooKeeper");
    }
    return matcher.group(1);
  }
}
