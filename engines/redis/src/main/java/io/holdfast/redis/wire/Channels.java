package io.holdfast.redis.wire;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which channels are wanted and which of them the server has confirmed. Not for several threads.
 *
 * <p>Confirmations come in the order of the commands. While the end of a channel is still to be
 * confirmed, a confirmed beginning is an earlier one; and an end that nobody has asked for is the
 * server's own doing.
 */
final class Channels {

  private final Set<String> wanted = new HashSet<>();
  private final Set<String> armed = new HashSet<>();
  private final Map<String, Integer> ending = new HashMap<>();

  /** Answers whether it is new. */
  boolean want(String channel) {
    return wanted.add(channel);
  }

  /** Answers whether it was there. */
  boolean unwant(String channel) {
    armed.remove(channel);
    return wanted.remove(channel);
  }

  boolean isWanted(String channel) {
    return wanted.contains(channel);
  }

  boolean isEmpty() {
    return wanted.isEmpty();
  }

  List<String> all() {
    return List.copyOf(wanted);
  }

  /** The server was told to end it. */
  void endSent(String channel) {
    ending.merge(channel, 1, Integer::sum);
  }

  /** The server has begun it; answers whether it is armed from now on. */
  boolean begun(String channel) {
    return wanted.contains(channel) && !ending.containsKey(channel) && armed.add(channel);
  }

  /** The server has ended it; answers whether that was its own doing. */
  boolean ended(String channel) {
    if (!ending.containsKey(channel)) {
      return wanted.contains(channel);
    }
    ending.computeIfPresent(channel, (name, count) -> count == 1 ? null : count - 1);
    return false;
  }

  /** It is not armed any more; answers whether it was. */
  boolean silence(String channel) {
    return armed.remove(channel);
  }

  /** The server will not confirm the end of these. */
  void forgetEnds(Predicate<String> which) {
    ending.keySet().removeIf(which);
  }

  /** The connection is gone; answers what was armed. */
  List<String> gap() {
    List<String> silent = List.copyOf(armed);
    armed.clear();
    ending.clear();
    return silent;
  }
}
