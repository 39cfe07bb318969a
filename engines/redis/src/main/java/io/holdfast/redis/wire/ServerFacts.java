package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** What a server says of itself in INFO. */
record ServerFacts(Map<String, String> values) {

  private static final byte[] INFO = "INFO".getBytes(StandardCharsets.US_ASCII);

  static ServerFacts parse(String info) {
    Map<String, String> values = new HashMap<>();
    info.lines()
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              if (colon > 0 && !line.startsWith("#")) {
                values.put(line.substring(0, colon), line.substring(colon + 1).strip());
              }
            });
    return new ServerFacts(values);
  }

  /** What the server at the end of a wire says. */
  static ServerFacts of(Wire wire) throws EngineException {
    Reply reply = wire.command(INFO);
    if (reply instanceof Reply.Failed failed) {
      throw failed.why();
    }
    Object told = ((Reply.Value) reply).value();
    return parse(told instanceof byte[] text ? new String(text, StandardCharsets.UTF_8) : "");
  }

  String value(String name) {
    return values.getOrDefault(name, "");
  }

  String runId() {
    return value("run_id");
  }

  boolean isMaster() {
    return value("role").equals("master");
  }

  boolean isClusterNode() {
    return value("cluster_enabled").equals("1");
  }

  /** The name and version; Valkey names the Redis that it is compatible with beside its own. */
  String product() {
    String valkey = value("valkey_version");
    return valkey.isEmpty() ? "Redis " + value("redis_version") : "Valkey " + valkey;
  }

  /** The first number of the version, or 0 when it is not told. */
  int majorVersion() {
    String version = value("redis_version");
    int dot = version.indexOf('.');
    try {
      return Integer.parseInt(dot < 0 ? version : version.substring(0, dot));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
