package io.holdfast.redis.connection;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One script to run, with its keys and arguments.
 *
 * @param keys all of them share a hash tag, so that one server has them
 * @param acknowledged whether replicas must confirm it, if the store is configured for that
 */
public record ScriptCall(
    Script script, List<byte[]> keys, List<byte[]> args, boolean acknowledged) {

  /** Creates a call that no replica has to confirm. */
  public static ScriptCall of(Script script, List<byte[]> keys, String... args) {
    return new ScriptCall(script, keys, bytes(args), false);
  }

  /** Creates a call that replicas must confirm, if the store is configured for that. */
  public static ScriptCall acknowledged(Script script, List<byte[]> keys, String... args) {
    return new ScriptCall(script, keys, bytes(args), true);
  }

  /** Returns texts as arguments. */
  public static List<byte[]> bytes(String... texts) {
    List<byte[]> bytes = new ArrayList<>(texts.length);
    for (String text : texts) {
      bytes.add(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes;
  }

  /** Returns milliseconds as an argument, rounded up: the store never keeps less than asked. */
  public static String millis(Duration time) {
    long millis = time.toMillis();
    return Long.toString(time.minusMillis(millis).isZero() ? millis : millis + 1);
  }

  /** Returns a flag as an argument. */
  public static String flag(boolean on) {
    return on ? "1" : "0";
  }
}
