package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions;
import io.holdfast.rig.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** What the tests of this package have in common. */
final class Scene {

  static final Duration TIMEOUT = Duration.ofSeconds(2);
  static final Duration BOUND = Duration.ofSeconds(10);
  static final Script INCREMENT = script("increment", "return redis.call('INCR', KEYS[1])");
  static final Script ECHO = script("echo", "return ARGV[1]");
  static final Script NOTHING = script("nothing", "return false");
  static final Script RUN_ID =
      new Script("run-id", text(source("return ARGV[#ARGV]")), sha("return ARGV[#ARGV]"), true);

  private Scene() {}

  static Script script(String name, String body) {
    return new Script(name, text(source(body)), sha(body), false);
  }

  private static String source(String body) {
    return "#!lua\n" + body;
  }

  private static byte[] sha(String body) {
    try {
      byte[] digest = java.security.MessageDigest.getInstance("SHA-1").digest(text(source(body)));
      return text(HexFormat.of().formatHex(digest));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }

  static Call call(Script script, String key, String... args) {
    List<byte[]> all = new ArrayList<>();
    for (String arg : args) {
      all.add(text(arg));
    }
    return new Call(script, List.of(text(key)), all, false);
  }

  static Wiring open(String uri) {
    return open(uri, TIMEOUT);
  }

  static Wiring open(String uri, Duration timeout) {
    return Wirings.open(RedisOptions.of(uri), timeout, new StartCheck(false));
  }

  static String uri(RedisServer server) {
    return "redis://127.0.0.1:" + server.port();
  }

  static Object value(Reply reply) {
    if (reply instanceof Reply.Failed failed) {
      throw new AssertionError("failed", failed.why());
    }
    return ((Reply.Value) reply).value();
  }

  static Exception failure(Reply reply) {
    if (reply instanceof Reply.Failed failed) {
      return failed.why();
    }
    throw new AssertionError("did not fail: " + reply);
  }

  /** A script that nobody has sent before. */
  static Script fresh() {
    return script("fresh", "return " + new Random().nextInt(1_000_000_000));
  }
}
