package io.holdfast.redis.connection;

import java.time.Duration;
import java.util.List;
import redis.clients.jedis.Protocol.Command;

/**
 * How many replicas must confirm a call, and how long they have.
 *
 * @param least how many must confirm; 0 for none
 * @param timeout how long they have
 */
public record Replicas(int least, Duration timeout) {

  public static final Replicas NONE = new Replicas(0, Duration.ZERO);

  boolean areAsked(List<PendingCall> pendingCalls) {
    return least > 0 && pendingCalls.stream().anyMatch(PendingCall::isAcknowledged);
  }

  void ask(RedisConnection connection) {
    connection.sendCommand(
        Command.WAIT, Integer.toString(least), Long.toString(timeout.toMillis()));
  }

  static int count(Object answer) {
    return answer instanceof Long number ? number.intValue() : 0;
  }
}
