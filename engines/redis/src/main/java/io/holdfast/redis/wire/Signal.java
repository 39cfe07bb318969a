package io.holdfast.redis.wire;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** What comes in over a connection that listens. */
sealed interface Signal {

  /** Somebody has published something. */
  record Message(String channel, String payload) implements Signal {}

  /** The server has begun a channel. */
  record Begun(String channel) implements Signal {}

  /** The server has ended a channel, because we asked for it or by itself. */
  record Ended(String channel) implements Signal {}

  /** The server does not have the slot of a channel. */
  record Moved(JedisRedirectionException where) implements Signal {}

  /** The server says no. */
  record Trouble(JedisDataException why) implements Signal {}

  /** Nothing but a sign of life. */
  record Alive() implements Signal {}

  /** Reads what Jedis has read. */
  static Signal of(Object received) {
    if (received instanceof JedisRedirectionException elsewhere) {
      return new Moved(elsewhere);
    }
    if (received instanceof JedisDataException error) {
      return new Trouble(error);
    }
    if (received instanceof List<?> parts && parts.size() > 2) {
      String channel = text(parts.get(1));
      return switch (text(parts.get(0))) {
        case "message", "smessage" -> new Message(channel, text(parts.get(2)));
        case "subscribe", "ssubscribe" -> new Begun(channel);
        case "unsubscribe", "sunsubscribe" -> new Ended(channel);
        default -> new Alive();
      };
    }
    return new Alive();
  }

  private static String text(@Nullable Object part) {
    return part instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : String.valueOf(part);
  }
}
