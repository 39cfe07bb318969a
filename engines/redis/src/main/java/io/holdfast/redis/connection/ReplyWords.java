package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The value that a script returned: texts and numbers, or a single one of them. */
public record ReplyWords(List<?> parts) {

  /** Wraps the value of a reply. */
  public static ReplyWords of(Object value) {
    return new ReplyWords(value instanceof List<?> list ? list : List.of(value));
  }

  /**
   * Returns the words of a reply.
   *
   * @throws EngineException if the call failed
   */
  public static ReplyWords of(ScriptReply reply) throws EngineException {
    if (reply instanceof ScriptReply.Failed failed) {
      throw failed.why();
    }
    return of(((ScriptReply.Value) reply).value());
  }

  /** Returns whether there are more words than this. */
  public boolean hasMoreThan(int count) {
    return parts.size() > count;
  }

  /** Returns the first word, which says what kind of reply it is. */
  public String first() {
    return text(0);
  }

  /** Returns the word at an index as text; empty if there is none. */
  public String text(int at) {
    if (at >= parts.size()) {
      return "";
    }
    Object part = parts.get(at);
    return part instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : String.valueOf(part);
  }

  /** Returns the word at an index as a number. */
  public long number(int at) {
    return at < parts.size() && parts.get(at) instanceof Long number
        ? number
        : Long.parseLong(text(at));
  }
}
