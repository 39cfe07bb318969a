package io.holdfast.redis.layout;

import io.holdfast.redis.connection.ReplyWords;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Resource;
import io.holdfast.spi.support.OwnerText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a snapshot of a line, as {@code admin/show.lua} returns it. */
public final class LineSnapshot {

  private static final int HEAD = 4;

  private LineSnapshot() {}

  /** Returns whether the key of the resource holds something that is not ours. */
  public static boolean isForeign(ReplyWords words) {
    return words.first().equals("F");
  }

  /** Returns the line, if there is one. */
  public static Optional<LineView> view(Resource resource, ReplyWords words) {
    if (!words.first().equals("V")) {
      return Optional.empty();
    }
    List<?> parts = words.parts();
    List<TicketView> tickets = new ArrayList<>(parts.size() - HEAD);
    for (Object part : parts.subList(HEAD, parts.size())) {
      tickets.add(ticket(ReplyWords.of(part)));
    }
    long marked = words.number(3);
    return Optional.of(
        new LineView(
            resource,
            ShapeLetter.shape(words.text(1), (int) words.number(2)),
            tickets,
            marked < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(marked))));
  }

  private static TicketView ticket(ReplyWords words) {
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
