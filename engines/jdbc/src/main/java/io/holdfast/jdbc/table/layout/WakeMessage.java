package io.holdfast.jdbc.table.layout;

import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The message that wakes waiters: {@code PLACE,PLACE|NAMESPACE/NAME}.
 *
 * <p>It has no secrets, because every user of the database can listen.
 *
 * @param places in the line; empty for all waiters
 */
public record WakeMessage(Resource resource, List<Long> places) {

  /** Returns the message as text. */
  String write() {
    StringBuilder out = new StringBuilder();
    for (long place : places) {
      out.append(out.isEmpty() ? "" : ",").append(place);
    }
    return out + "|" + resource.namespace() + "/" + resource.name();
  }

  /** Parses a message of {@link #write}; empty for any other text. */
  public static Optional<WakeMessage> read(String text) {
    int bar = text.indexOf('|');
    int slash = text.indexOf('/', bar);
    if (bar < 0 || slash < 0) {
      return Optional.empty();
    }
    try {
      List<Long> places = new ArrayList<>();
      for (String place : bar == 0 ? new String[0] : text.substring(0, bar).split(",", -1)) {
        places.add(Long.parseLong(place));
      }
      Resource resource = new Resource(text.substring(bar + 1, slash), text.substring(slash + 1));
      return Optional.of(new WakeMessage(resource, places));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
