package io.holdfast.redis;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a message says: {@code NUMBER.ATTEMPT} of a bell, and behind it {@code TOKEN WANTED} if the
 * ticket was let in.
 *
 * @param token 0 if it was only called
 */
record BellMessage(long number, long attempt, long token, boolean wanted) {

  private static final Pattern TEXT =
      Pattern.compile("!?(\\d{1,18})\\.(\\d{1,18})(?: (\\d{1,18}) ([01]))?");

  /** Null if the message is not one of ours. */
  static @Nullable BellMessage of(String payload) {
    Matcher matcher = TEXT.matcher(payload);
    if (!matcher.matches()) {
      return null;
    }
    String token = matcher.group(3);
    return new BellMessage(
        Long.parseLong(matcher.group(1)),
        Long.parseLong(matcher.group(2)),
        token == null ? 0 : Long.parseLong(token),
        "1".equals(matcher.group(4)));
  }

  boolean isGrant() {
    return token > 0;
  }
}
