package io.holdfast.cli.look;

import io.holdfast.cli.Durations;
import io.holdfast.cli.Screen;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.Token;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What became of taking a grant away.
 *
 * @param cutOff those whose grant it was, as seen just before
 * @param others who is in otherwise, as seen just before
 * @param waiting how many waited then
 */
record Release(
    Aim aim,
    Verdict verdict,
    boolean evicted,
    String reason,
    List<TicketView> cutOff,
    List<TicketView> others,
    int waiting) {

  /** Which grant is to go. */
  record Aim(String name, long token) {}

  /**
   * Looks who it is, then asks the store to take away that very grant. Whoever has come in between
   * has another token, and the store refuses.
   */
  static Release carryOut(Desk desk, Aim aim, String reason, boolean evict) {
    Optional<LineView> line = desk.show(aim.name);
    Verdict verdict = desk.release(aim.name, aim.token, reason, evict);
    List<TicketView> holders = line.map(LineFacts::new).map(LineFacts::holders).orElse(List.of());
    return new Release(
        aim,
        verdict,
        evict,
        reason,
        holders.stream().filter(holder -> isOf(holder, aim)).toList(),
        holders.stream().filter(holder -> !isOf(holder, aim)).toList(),
        line.map(LineFacts::new).map(LineFacts::waiters).orElse(List.of()).size());
  }

  private static boolean isOf(TicketView holder, Aim aim) {
    return Token.grant(holder.token()) == Token.grant(aim.token);
  }

  boolean isDone() {
    return verdict == Verdict.DONE;
  }

  /** For people. */
  List<String> lines() {
    String which = Screen.safe(aim.name) + ", token " + aim.token;
    List<String> lines = new ArrayList<>();
    if (!isDone()) {
      lines.add("nothing was changed: " + which + " is not current");
      others.forEach(other -> lines.add("  now in: " + who(other)));
      return lines;
    }
    lines.add((evicted ? "cut off: " : "asked to go: ") + which);
    cutOff.forEach(holder -> lines.add("  " + who(holder)));
    lines.add("  " + consequence());
    lines.add("  waiting: " + waiting);
    return lines;
  }

  private static String who(TicketView ticket) {
    return LineFacts.label(ticket.owner())
        + ", token "
        + ticket.token()
        + ", since "
        + Durations.text(ticket.age());
  }

  private String consequence() {
    if (evicted) {
      return "it is told at its next renewal; until then only the token protects what it writes";
    }
    String latest =
        cutOff.isEmpty() ? "" : ", " + Durations.text(cutOff.get(0).leaseLeft()) + " from now";
    return "it is told at its next renewal; others get in when it has left, or its lease ends"
        + latest;
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", aim.name);
    json.put("token", String.valueOf(aim.token));
    json.put("verdict", isDone() ? (evicted ? "evicted" : "revoked") : "not-current");
    json.put("reason", reason);
    json.put(
        "cutOff",
        (isDone() ? cutOff : List.<TicketView>of()).stream().map(LineFacts::json).toList());
    json.put("nowIn", others.stream().map(LineFacts::json).toList());
    json.put("waiting", waiting);
    return json;
  }
}
