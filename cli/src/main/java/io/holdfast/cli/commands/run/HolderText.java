package io.holdfast.cli.commands.run;

import io.holdfast.Holdfast;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Resource;
import java.util.List;
import java.util.Optional;

/** Describes the holders of a lock in messages. */
final class HolderText {

  private HolderText() {}

  /** "NAME is held by … at STORE", as far as the store knows. */
  static String of(Holdfast holdfast, String name) {
    return name
        + " is held by "
        + who(holdfast, name).orElse("others")
        + " at "
        + holdfast.traits().store();
  }

  /** Some of the holders; empty if the store does not list them. */
  static Optional<String> who(Holdfast holdfast, String name) {
    List<String> holders =
        line(holdfast, name).stream()
            .flatMap(line -> line.tickets().stream())
            .filter(ticket -> ticket.state() != TicketView.State.WAITING)
            .limit(3)
            .map(ticket -> ticket.owner().toString())
            .toList();
    return holders.isEmpty() ? Optional.empty() : Optional.of(String.join(" and ", holders));
  }

  private static Optional<LineView> line(Holdfast holdfast, String name) {
    try {
      return holdfast.inspector().isEmpty()
          ? Optional.empty()
          : holdfast.inspector().get().show(new Resource(holdfast.options().namespace(), name));
    } catch (EngineException e) {
      return Optional.empty();
    }
  }
}
