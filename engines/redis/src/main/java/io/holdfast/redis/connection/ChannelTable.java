package io.holdfast.redis.connection;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The channels that are wanted, and which of them the server has confirmed. Not thread-safe.
 *
 * <p>Confirmations come in the order of the commands. While an unsubscribe is still to be
 * confirmed, a confirmed subscribe is an earlier one; an unsubscribe that was not requested was
 * made by the server.
 */
final class ChannelTable {

  private final Set<String> wanted = new HashSet<>();
  private final Set<String> armed = new HashSet<>();
  private final Map<String, Integer> ending = new HashMap<>();

  /** Returns whether it is new. */
  boolean want(String channel) {
    return wanted.add(channel);
  }

  /** Returns whether it was wanted. */
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

  /** An unsubscribe was sent. */
  void endSent(String channel) {
    ending.merge(channel, 1, Integer::sum);
  }

  /** The server confirmed a subscribe; returns whether the channel is armed from now on. */
  boolean begun(String channel) {
    return wanted.contains(channel) && !ending.containsKey(channel) && armed.add(channel);
  }

  /** The server confirmed an unsubscribe; returns whether it was not requested. */
  boolean ended(String channel) {
    if (!ending.containsKey(channel)) {
      return wanted.contains(channel);
    }
    ending.computeIfPresent(channel, (name, count) -> count == 1 ? null : count - 1);
    return false;
  }

  /** The channel is no longer armed; returns whether it was. */
  boolean silence(String channel) {
    return armed.remove(channel);
  }

  /** The server will not confirm the unsubscribes of these. */
  void forgetEnds(Predicate<String> which) {
    ending.keySet().removeIf(which);
  }

  /** The connection is gone; returns what was armed. */
  List<String> gap() {
    List<String> silent = List.copyOf(armed);
    armed.clear();
    ending.clear();
    return silent;
  }
}
