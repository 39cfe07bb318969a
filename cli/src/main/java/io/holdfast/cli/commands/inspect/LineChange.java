package io.holdfast.cli.commands.inspect;

import io.holdfast.cli.Screen;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Token;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is different between two looks at a store. What begins and ends in between is not seen.
 *
 * @param kind {@code in}, {@code out}, {@code revoked}, {@code waiting}, {@code done}, {@code over}
 * @param ticket that came, went or was revoked, as it was last seen
 * @param waiting how many wait, for {@code waiting}
 */
record LineChange(String kind, String name, Optional<TicketView> ticket, int waiting) {

  /** All that is different, name by name. */
  static List<LineChange> between(List<LineView> before, List<LineView> after) {
    Map<String, LineDescription> old = byName(before);
    Map<String, LineDescription> now = byName(after);
    List<LineChange> changes = new ArrayList<>();
    old.forEach((name, facts) -> addEnds(changes, facts, Optional.ofNullable(now.get(name))));
    now.forEach((name, facts) -> addBegins(changes, Optional.ofNullable(old.get(name)), facts));
    return changes;
  }

  private static Map<String, LineDescription> byName(List<LineView> lines) {
    Map<String, LineDescription> all = new LinkedHashMap<>();
    lines.forEach(line -> all.put(line.resource().name(), new LineDescription(line)));
    return all;
  }

  private static void addEnds(
      List<LineChange> changes, LineDescription was, Optional<LineDescription> is) {
    for (TicketView ticket : was.holders()) {
      if (is.isEmpty() || find(is.get(), ticket).isEmpty()) {
        changes.add(new LineChange("out", was.name(), Optional.of(ticket), 0));
      }
    }
    if (was.line().marked().isPresent() && !is.map(LineChange::isMarked).orElse(false)) {
      changes.add(new LineChange("over", was.name(), Optional.empty(), 0));
    }
    if (is.isEmpty() && !was.waiters().isEmpty()) {
      changes.add(new LineChange("waiting", was.name(), Optional.empty(), 0));
    }
  }

  private static void addBegins(
      List<LineChange> changes, Optional<LineDescription> was, LineDescription is) {
    for (TicketView ticket : is.holders()) {
      Optional<TicketView> known = was.flatMap(facts -> find(facts, ticket));
      if (known.isEmpty()) {
        changes.add(new LineChange("in", is.name(), Optional.of(ticket), 0));
      }
      boolean revoked = ticket.state() == TicketView.State.REVOKED;
      if (revoked && known.map(TicketView::state).orElse(null) != TicketView.State.REVOKED) {
        changes.add(new LineChange("revoked", is.name(), Optional.of(ticket), 0));
      }
    }
    if (isMarked(is) && !was.map(LineChange::isMarked).orElse(false)) {
      changes.add(new LineChange("done", is.name(), Optional.empty(), 0));
    }
    int waited = was.map(facts -> facts.waiters().size()).orElse(0);
    if (is.waiters().size() != waited) {
      changes.add(new LineChange("waiting", is.name(), Optional.empty(), is.waiters().size()));
    }
  }

  private static boolean isMarked(LineDescription facts) {
    return facts.line().marked().isPresent();
  }

  /** The same grant, however often it was handed over. */
  private static Optional<TicketView> find(LineDescription facts, TicketView ticket) {
    return facts.holders().stream()
        .filter(other -> Token.grant(other.token()) == Token.grant(ticket.token()))
        .findFirst();
  }

  /** For people, on one line. */
  String text() {
    String who = ticket.map(t -> " " + LineDescription.label(t.owner())).orElse("");
    String token = ticket.map(t -> ", token " + t.token()).orElse("");
    String safe = Screen.safe(name);
    return switch (kind) {
      case "in" -> "+ " + safe + ":" + who + " holds the lock" + token;
      case "out" -> "- " + safe + ":" + who + " left" + token;
      case "revoked" -> "! " + safe + ":" + who + " was revoked" + token;
      case "done" -> "+ " + safe + ": a run has left its mark";
      case "over" -> "- " + safe + ": the mark is over";
      default -> "  " + safe + ": " + waiting + " waiting";
    };
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("change", kind);
    json.put("name", name);
    ticket.ifPresent(t -> json.put("ticket", LineDescription.json(t)));
    if (kind.equals("waiting")) {
      json.put("waiting", waiting);
    }
    return json;
  }
}
