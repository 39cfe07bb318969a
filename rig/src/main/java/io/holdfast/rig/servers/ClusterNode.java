package io.holdfast.rig.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A line of {@code CLUSTER NODES}: a node of a Redis Cluster as another sees it.
 *
 * @param flags such as {@code master}, {@code slave}, {@code fail?}, {@code fail}
 * @param masterId of a replica; {@code -} for others
 * @param connected whether its link over the cluster bus is up
 * @param slots the ranges that it owns
 */
record ClusterNode(
    String id, int port, Set<String> flags, String masterId, boolean connected, List<Range> slots) {
  private static final int FIXED_WORDS = 8;

  /** Slots from the first to the last one. */
  record Range(int first, int last) {
    boolean contains(int slot) {
      return first <= slot && slot <= last;
    }
  }

  ClusterNode {
    flags = Set.copyOf(flags);
    slots = List.copyOf(slots);
  }

  /** All nodes as the asked one sees them. */
  static List<ClusterNode> seenBy(RedisServer asked) {
    return asked.call("CLUSTER", "NODES").lines().map(ClusterNode::parse).toList();
  }

  /** The port of a slot's owner as the asked node sees it; -1 if it sees none. */
  static int ownerOf(int slot, RedisServer asked) {
    return seenBy(asked).stream()
        .filter(node -> node.owns(slot))
        .mapToInt(ClusterNode::port)
        .findFirst()
        .orElse(-1);
  }

  boolean isMaster() {
    return flags.contains("master");
  }

  /** In touch, and nobody thinks otherwise. */
  boolean isWell() {
    return connected
        && !flags.contains("fail")
        && !flags.contains("fail?")
        && !flags.contains("handshake");
  }

  boolean owns(int slot) {
    return slots.stream().anyMatch(range -> range.contains(slot));
  }

  /** {@code id ip:port@bus,host flags master ping pong epoch link slot…}. */
  private static ClusterNode parse(String line) {
    String[] words = line.split(" ", -1);
    String address = words[1];
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1, address.indexOf('@')));
    List<Range> ranges = new ArrayList<>();
    for (int i = FIXED_WORDS; i < words.length; i++) {
      // In brackets are slots on their way to another node.
      if (!words[i].startsWith("[")) {
        ranges.add(range(words[i]));
      }
    }
    return new ClusterNode(
        words[0],
        port,
        Set.of(words[2].split(",", -1)),
        words[3],
        words[7].equals("connected"),
        ranges);
  }

  private static Range range(String text) {
    String[] ends = text.split("-", -1);
    return new Range(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
  }
}
