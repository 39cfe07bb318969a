package io.holdfast.redis.wire;

import java.time.Duration;
import java.util.List;
import redis.clients.jedis.Protocol.Command;

/**
 * The word of the replicas.
 *
 * @param least how many are asked to confirm; 0 for none
 * @param timeout how long they have
 */
record Replicas(int least, Duration timeout) {

  static final Replicas NONE = new Replicas(0, Duration.ZERO);

  boolean areAsked(List<Errand> errands) {
    return least > 0 && errands.stream().anyMatch(Errand::isAcknowledged);
  }

  void ask(Link link) {
    link.sendCommand(Command.WAIT, Integer.toString(least), Long.toString(timeout.toMillis()));
  }

  static int count(Object answer) {
    return answer instanceof Long number ? number.intValue() : 0;
  }
}
