package io.holdfast.redis.connection;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** What a subscriber connection receives. */
sealed interface SubscriberSignal {

  /** Begins the reply of a watch's script that found the ticket. */
  String WATCH_SEEN = "seen";

  /** Begins the reply of a watch's script that did not find it. */
  String WATCH_GONE = "gone";

  /** A published message. */
  record Message(String channel, String payload) implements SubscriberSignal {}

  /** The server confirmed a subscribe. */
  record Begun(String channel) implements SubscriberSignal {}

  /** The server ended a channel, on request or by itself. */
  record Ended(String channel) implements SubscriberSignal {}

  /** The server does not have the slot of a channel. */
  record Moved(JedisRedirectionException where) implements SubscriberSignal {}

  /** The server returned an error. */
  record Trouble(JedisDataException why) implements SubscriberSignal {}

  /** Watched keys may have changed; all of them if empty. */
  record Changed(List<String> keys) implements SubscriberSignal {}

  /** Any other reply: the connection is alive. */
  record Alive() implements SubscriberSignal {}

  /** Interprets what Jedis has read. */
  static SubscriberSignal of(Object received) {
    if (received instanceof JedisRedirectionException elsewhere) {
      return new Moved(elsewhere);
    }
    if (received instanceof JedisDataException error) {
      // Two keys of a watch are on two servers while a slot moves: no reason to give the others up.
      return String.valueOf(error.getMessage()).startsWith("TRYAGAIN")
          ? new Alive()
          : new Trouble(error);
    }
    if (received instanceof List<?> parts && parts.size() > 2) {
      String channel = text(parts.get(1));
      return switch (text(parts.get(0))) {
        case "message", "smessage", WATCH_GONE -> new Message(channel, text(parts.get(2)));
        case "subscribe", "ssubscribe", WATCH_SEEN -> new Begun(channel);
        case "unsubscribe", "sunsubscribe" -> new Ended(channel);
        default -> new Alive();
      };
    }
    if (received instanceof List<?> push
        && push.size() == 2
        && text(push.get(0)).equals("invalidate")) {
      return new Changed(
          push.get(1) instanceof List<?> keys
              ? keys.stream().map(SubscriberSignal::text).toList()
              : List.of());
    }
    return new Alive();
  }

  private static String text(@Nullable Object part) {
    return part instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : String.valueOf(part);
  }
}
