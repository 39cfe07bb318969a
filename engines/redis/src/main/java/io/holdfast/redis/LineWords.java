package io.holdfast.redis;

import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what {@code inspect-show.lua} answers. */
final class LineWords {

  private static final int HEAD = 4;

  private LineWords() {}

  /** Whether something stands under the name that is not Holdfast's. */
  static boolean isForeign(Words words) {
    return words.first().equals("F");
  }

  /** The line, if there is one. */
  static Optional<LineView> view(Resource resource, Words words) {
    if (!words.first().equals("V")) {
      return Optional.empty();
    }
    List<?> parts = words.parts();
    List<TicketView> tickets = new ArrayList<>(parts.size() - HEAD);
    for (Object part : parts.subList(HEAD, parts.size())) {
      tickets.add(ticket(Words.of(part)));
    }
    long marked = words.number(3);
    return Optional.of(
        new LineView(
            resource,
            Calls.shape(words.text(1), (int) words.number(2)),
            tickets,
            marked < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(marked))));
  }

  private static TicketView ticket(Words words) {
    TicketView.State state =
        switch (words.first()) {
          case "H" -> TicketView.State.HOLDING;
          case "R" -> TicketView.State.REVOKED;
          default -> TicketView.State.WAITING;
        };
    return new TicketView(
        state,
        OwnerText.read(words.text(5)),
        Long.parseLong(words.text(1)),
        (int) words.number(2),
        Duration.ofMillis(Math.max(0, words.number(3))),
        Duration.ofMillis(Math.max(0, words.number(4))));
  }
}
