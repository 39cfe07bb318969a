package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions;
import io.holdfast.rig.servers.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What the tests of this package have in common. */
final class ConnectionScene {

  static final Duration TIMEOUT = Duration.ofSeconds(2);
  static final Duration BOUND = Duration.ofSeconds(10);
  static final Script INCREMENT = script("increment", "return redis.call('INCR', KEYS[1])");
  static final Script ECHO = script("echo", "return ARGV[1]");
  static final Script NOTHING = script("nothing", "return false");
  static final Script RUN_ID = new Script("run-id", "#!lua\nreturn ARGV[#ARGV]", true, false);

  private ConnectionScene() {}

  static Script script(String name, String body) {
    return new Script(name, "#!lua\n" + body, false, false);
  }

  static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }

  static ScriptCall call(Script script, String key, String... args) {
    List<byte[]> all = new ArrayList<>();
    for (String arg : args) {
      all.add(text(arg));
    }
    return new ScriptCall(script, List.of(text(key)), all, false);
  }

  static ServerTopology open(String uri) {
    return open(uri, TIMEOUT);
  }

  static ServerTopology open(String uri, Duration timeout) {
    return Topologies.open(RedisOptions.of(uri), timeout, new ServerCheck(false));
  }

  static String uri(RedisServer server) {
    return "redis://127.0.0.1:" + server.port();
  }

  static Object value(ScriptReply reply) {
    if (reply instanceof ScriptReply.Failed failed) {
      throw new AssertionError("failed", failed.why());
    }
    return ((ScriptReply.Value) reply).value();
  }

  static Exception failure(ScriptReply reply) {
    if (reply instanceof ScriptReply.Failed failed) {
      return failed.why();
    }
    throw new AssertionError("did not fail: " + reply);
  }

  /** A script that nobody has sent before. */
  static Script fresh() {
    return script("fresh", "return " + new Random().nextInt(1_000_000_000));
  }
}
