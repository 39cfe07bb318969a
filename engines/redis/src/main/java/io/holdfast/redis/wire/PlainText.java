package io.holdfast.redis.wire;

import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** What went wrong, for people: without the names of classes that drivers pass on as a text. */
final class PlainText {

  private PlainText() {}

  /** The message, or that of the cause where the message is only the cause's name and message. */
  static String of(@Nullable Throwable thrown) {
    if (thrown == null) {
      return "";
    }
    if (thrown instanceof UnknownHostException) {
      return "no such host: " + thrown.getMessage();
    }
    String text = String.valueOf(thrown.getMessage());
    Throwable cause = thrown.getCause();
    return cause != null && text.equals(cause.toString()) ? of(cause) : text;
  }
}
