package io.holdfast.etcd.faults;

import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.List;

/** What tests see of the lines in a store. */
final class Lines {

  private static final String PREFIX = "holdfast/line/default/";

  private Lines() {}

  /** The tickets of a name. */
  static List<String> tickets(EtcdServer server, String name) {
    return server.keys(PREFIX + name + '\0').stream().filter(key -> !key.endsWith("!")).toList();
  }

  /** The oldest ticket in line: the holder. */
  static String first(EtcdServer server, String name) {
    return server
        .ctl("get", "--prefix", PREFIX + name, "--keys-only", "--sort-by=CREATE", "--limit=1")
        .strip();
  }

  /** Waits until so many tickets are in line. */
  static void await(EtcdServer server, String name, int tickets) {
    Await.until(
        tickets + " in line for " + name,
        Duration.ofSeconds(60),
        () -> tickets(server, name).size() == tickets);
  }

  /** Waits until nothing of any line is left. */
  static void awaitNone(EtcdServer server, Duration bound) {
    Await.until("no keys", bound, () -> server.keys("holdfast/line/").isEmpty());
  }
}
