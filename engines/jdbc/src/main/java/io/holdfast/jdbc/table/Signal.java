package io.holdfast.jdbc.table;

import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Who is told to ask again: {@code PLACE,PLACE|NAMESPACE/NAME}. It has no secrets, as everybody who
 * may connect to the database can listen.
 *
 * @param places in the line; empty: all that wait
 */
public record Signal(Resource resource, List<Long> places) {

  /** The signal as text. */
  String write() {
    StringBuilder out = new StringBuilder();
    for (long place : places) {
      out.append(out.isEmpty() ? "" : ",").append(place);
    }
    return out + "|" + resource.namespace() + "/" + resource.name();
  }

  /** Reads what {@link #write} wrote; empty when somebody else wrote it. */
  public static Optional<Signal> read(String text) {
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
      return Optional.of(new Signal(resource, places));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
