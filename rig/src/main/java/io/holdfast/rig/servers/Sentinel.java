package io.holdfast.rig.servers;

import io.holdfast.rig.process.Program;
import io.holdfast.rig.process.ServerLocation;
import io.holdfast.rig.process.ServerSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How one Sentinel is started and asked. It is redis-server in another mode. */
final class Sentinel {
  /** The name that all sentinels of the rig know their master by. */
  static final String MASTER = "mymaster";

  /** How long a server must be silent before a sentinel takes it for down. */
  static final Duration DOWN_AFTER = Duration.ofMillis(500);

  /** Longer than any machine stands still. */
  static final Duration HARDLY_EVER = Duration.ofMinutes(10);

  /** After twice this, a failover that nobody finished is tried again. */
  static final Duration FAILOVER_TIMEOUT = Duration.ofSeconds(2);

  private static final Program REDIS = Program.of("redis-server", "redis-server");
  private static final Duration PROBE = Duration.ofMillis(300);

  /*
   * In milliseconds. Sentinels look at servers every 10 s and inform each other every 2 s, and after a
   * pause of 2 s they do nothing for 30 s: too slow for tests.
   *
   * They ping no more often than every DOWN_AFTER, and count that from before the first ping, so
   * that a new master was taken for down at once. But not below 200: a replica is promoted only if
   * it was looked at within five pings, and while the master is down that is once in a second.
   */
  private static final Map<String, String> PERIODS =
      Map.of(
          "info-period", "300",
          "ping-period", "250",
          "publish-period", "200",
          "ask-period", "200",
          "tilt-period", "1000");

  private Sentinel() {}

  /** Starts one; it finds replicas and other sentinels through the master. */
  static RedisServer start(RedisServer master, int quorum, Optional<String> password) {
    ServerSpec spec =
        ServerSpec.of(
                "sentinel",
                place ->
                    List.of(REDIS.find().toString(), configuration(place).toString(), "--sentinel"),
                Sentinel::isReady)
            .withPreparation(
                place -> Files.write(configuration(place), lines(place, master, quorum, password)));
    return RedisServer.start(spec);
  }

  /** The port of the server that this sentinel takes for the master. */
  static int masterPort(RedisServer sentinel) {
    String[] address = sentinel.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER).split("\n", -1);
    return Integer.parseInt(address[1]);
  }

  /** Counts the failovers: the sentinel with the highest one knows best. */
  static long epoch(RedisServer sentinel) {
    return Long.parseLong(master(sentinel).getOrDefault("config-epoch", "-1"));
  }

  /** Whether this sentinel sees a master and these replicas in order, and so many sentinels. */
  static boolean seesAll(RedisServer sentinel, List<RedisServer> replicas, int sentinels) {
    List<String> inOrder =
        items(sentinel.call("SENTINEL", "REPLICAS", MASTER)).stream()
            .filter(replica -> "slave".equals(replica.get("flags")))
            .filter(replica -> "ok".equals(replica.get("master-link-status")))
            .map(replica -> replica.getOrDefault("port", ""))
            .toList();
    return "master".equals(master(sentinel).get("flags"))
        && replicas.stream().allMatch(r -> inOrder.contains(Integer.toString(r.port())))
        && sentinel.call("SENTINEL", "CKQUORUM", MASTER).startsWith("OK " + sentinels);
  }

  /** Changes the time after which a sentinel repeats a failover or corrects a replica's master. */
  static void setFailoverTimeout(RedisServer sentinel, Duration timeout) {
    String millis = Long.toString(timeout.toMillis());
    sentinel.call("SENTINEL", "SET", MASTER, "failover-timeout", millis);
  }

  /** Changes how long a server must be silent before this sentinel takes it for down. */
  static void setDownAfter(RedisServer sentinel, Duration silence) {
    String millis = Long.toString(silence.toMillis());
    sentinel.call("SENTINEL", "SET", MASTER, "down-after-milliseconds", millis);
  }

  /** How long the master has not replied to this sentinel. */
  static Duration silenceOfMaster(RedisServer sentinel) {
    return Duration.ofMillis(Long.parseLong(master(sentinel).get("last-ok-ping-reply")));
  }

  private static Path configuration(ServerLocation place) {
    return place.folder().resolve("sentinel.conf");
  }

  private static List<String> lines(
      ServerLocation place, RedisServer master, int quorum, Optional<String> password) {
    List<String> lines = new ArrayList<>();
    lines.add("port " + place.port());
    lines.add("bind 127.0.0.1");
    lines.add("dir " + place.folder());
    lines.add("sentinel monitor %s 127.0.0.1 %d %d".formatted(MASTER, master.port(), quorum));
    lines.add("sentinel down-after-milliseconds " + MASTER + " " + DOWN_AFTER.toMillis());
    lines.add("sentinel failover-timeout " + MASTER + " " + FAILOVER_TIMEOUT.toMillis());
    password.ifPresent(secret -> lines.add("sentinel auth-pass " + MASTER + " " + secret));
    return lines;
  }

  /** Sets the periods as well, because a sentinel forgets them when it ends. */
  private static boolean isReady(ServerLocation place, long pid) throws IOException {
    return RespExchange.call(place.address(), PROBE, "INFO", "server")
            .lines()
            .anyMatch(("process_id:" + pid)::equals)
        && RespExchange.call(place.address(), PROBE, debug()).equals("OK");
  }

  private static String[] debug() {
    List<String> command = new ArrayList<>(List.of("SENTINEL", "DEBUG"));
    PERIODS.forEach((name, millis) -> command.addAll(List.of(name, millis)));
    return command.toArray(String[]::new);
  }

  private static Map<String, String> master(RedisServer sentinel) {
    return items(sentinel.call("SENTINEL", "MASTER", MASTER)).get(0);
  }

  /** Keys and values one a line; each item begins with its name. */
  private static List<Map<String, String>> items(String reply) {
    String[] words = reply.split("\n", -1);
    List<Map<String, String>> items = new ArrayList<>();
    for (int i = 0; i + 1 < words.length; i += 2) {
      if (words[i].equals("name")) {
        items.add(new HashMap<>());
      }
      items.get(items.size() - 1).put(words[i], words[i + 1]);
    }
    return items;
  }
}
