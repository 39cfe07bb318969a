package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The fields of a server's INFO. */
public record ServerInfo(Map<String, String> values) {

  private static final byte[] INFO = "INFO".getBytes(StandardCharsets.US_ASCII);

  public static ServerInfo parse(String info) {
    Map<String, String> values = new HashMap<>();
    info.lines()
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              if (colon > 0 && !line.startsWith("#")) {
                values.put(line.substring(0, colon), line.substring(colon + 1).strip());
              }
            });
    return new ServerInfo(values);
  }

  /** Asks the server behind a connection. */
  static ServerInfo of(LaneConnection connection) throws EngineException {
    ScriptReply reply = connection.command(INFO);
    if (reply instanceof ScriptReply.Failed failed) {
      throw failed.why();
    }
    Object value = ((ScriptReply.Value) reply).value();
    return parse(value instanceof byte[] text ? new String(text, StandardCharsets.UTF_8) : "");
  }

  public String value(String name) {
    return values.getOrDefault(name, "");
  }

  public String runId() {
    return value("run_id");
  }

  boolean isMaster() {
    return value("role").equals("master");
  }

  boolean isClusterNode() {
    return value("cluster_enabled").equals("1");
  }

  /**
   * Returns name and version; Valkey reports the Redis version that it is compatible with as well.
   */
  String product() {
    String valkey = value("valkey_version");
    return valkey.isEmpty() ? "Redis " + value("redis_version") : "Valkey " + valkey;
  }

  /** Returns the first number of the version, or 0 if it is not known. */
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
