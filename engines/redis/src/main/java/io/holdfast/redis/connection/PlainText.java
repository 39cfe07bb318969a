package io.holdfast.redis.connection;

import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Turns an exception into a message without the class names that drivers put into it. */
final class PlainText {

  private PlainText() {}

  /** Returns the message, or that of the cause if the message only repeats the cause. */
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
