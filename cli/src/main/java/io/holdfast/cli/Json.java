package io.holdfast.cli;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON from maps, lists, strings, integers, booleans, optionals and null.
 *
 * <p>Other values are written as their text. Pass numbers above 2^53, such as tokens, as strings:
 * many readers would round them.
 */
public final class Json {

  private final StringBuilder out = new StringBuilder();

  private Json() {}

  /** The value on one line. Maps keep their order. */
  public static String text(@Nullable Object value) {
    Json json = new Json();
    json.value(value);
    return json.out.toString();
  }

  private void value(@Nullable Object value) {
    if (value == null) {
      out.append("null");
    } else if (value instanceof Optional<?> optional) {
      value(optional.isPresent() ? optional.get() : null);
    } else if (value instanceof Map<?, ?> map) {
      object(map);
    } else if (value instanceof Iterable<?> list) {
      array(list);
    } else if (value instanceof Integer || value instanceof Long || value instanceof Boolean) {
      out.append(value);
    } else if (value instanceof Double number && !number.isNaN() && !number.isInfinite()) {
      out.append(number);
    } else {
      string(value.toString());
    }
  }

  private void object(Map<?, ?> map) {
    String separator = "{";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      out.append(separator);
      string(String.valueOf(entry.getKey()));
      out.append(':');
      value(entry.getValue());
      separator = ",";
    }
    out.append(map.isEmpty() ? "{}" : "}");
  }

  private void array(Iterable<?> list) {
    out.append('[');
    String separator = "";
    for (Object each : list) {
      out.append(separator);
      value(each);
      separator = ",";
    }
    out.append(']');
  }

  private void string(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      character(text.charAt(i));
    }
    out.append('"');
  }

  /** ASCII alone: what the locale does not know would be printed as question marks. */
  private void character(char c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (c < 0x20 || c > 0x7e) {
          out.append(String.format("\\u%04x", (int) c));
        } else {
          out.append(c);
        }
      }
    }
  }
}
