package io.holdfast.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** A script's answer as words: a list of texts and numbers, or just one of them. */
record Words(List<?> parts) {

  static Words of(Object value) {
    return new Words(value instanceof List<?> list ? list : List.of(value));
  }

  boolean hasMoreThan(int count) {
    return parts.size() > count;
  }

  String first() {
    return text(0);
  }

  String text(int at) {
    if (at >= parts.size()) {
      return "";
    }
    Object part = parts.get(at);
    return part instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : String.valueOf(part);
  }

  long number(int at) {
    return at < parts.size() && parts.get(at) instanceof Long number
        ? number
        : Long.parseLong(text(at));
  }
}
