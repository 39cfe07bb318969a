package io.holdfast.redis.signals;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The message that a release sends to a waiter.
 *
 * <p>Its text is {@code NUMBER.ATTEMPT} of the waiter, then {@code TOKEN WANTED} if it was granted.
 *
 * @param token 0 if the waiter was only woken
 * @param wanted whether others wait behind the granted ticket
 */
public record WakeMessage(long number, long attempt, long token, boolean wanted) {

  /** Begins what the store keeps of a waiter whose message may grant the ticket. */
  public static final String MAY_GRANT = "!";

  private static final Pattern TEXT =
      Pattern.compile("!?(\\d{1,18})\\.(\\d{1,18})(?: (\\d{1,18}) ([01]))?");

  /** Parses a message; null if it is not one of ours. */
  static @Nullable WakeMessage parse(String payload) {
    Matcher matcher = TEXT.matcher(payload);
    if (!matcher.matches()) {
      return null;
    }
    String token = matcher.group(3);
    return new WakeMessage(
        Long.parseLong(matcher.group(1)),
        Long.parseLong(matcher.group(2)),
        token == null ? 0 : Long.parseLong(token),
        "1".equals(matcher.group(4)));
  }

  boolean isGrant() {
    return token > 0;
  }
}
