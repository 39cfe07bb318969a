package io.holdfast.cli.look;

import io.holdfast.cli.Durations;
import io.holdfast.cli.Screen;
import io.holdfast.spi.EngineException;
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
 * @param doubt why nobody knows what became of it; empty if that is known
 * @param cutOff those whose grant it was, as seen just before
 * @param others who is in otherwise, as seen just before
 * @param seen the line just before; empty if nobody stood in it
 */
record Release(
    Aim aim,
    Fate fate,
    String doubt,
    boolean evicted,
    String reason,
    List<TicketView> cutOff,
    List<TicketView> others,
    Optional<LineFacts> seen) {

  /** What became of the grant. */
  enum Fate {
    /** It is cut off, or was asked to go. */
    DONE,
    /** It is not in any more; nothing was changed. */
    NOT_CURRENT,
    /** One of both: the store was asked and did not answer. */
    IN_DOUBT
  }

  /** Which grant is to go. */
  record Aim(String name, long token) {}

  /**
   * Looks who it is, then asks the store to take away that very grant. Whoever has come in between
   * has another token, and the store refuses. A store that does not answer leaves it in doubt,
   * which is a result as well: it is to be noted, as it may have been done.
   */
  static Release carryOut(Desk desk, Aim aim, String reason, boolean evict) {
    Optional<LineFacts> seen = desk.show(aim.name).map(LineFacts::new);
    Fate fate;
    String doubt = "";
    try {
      Verdict verdict = desk.release(aim.name, aim.token, reason, evict);
      fate = verdict == Verdict.DONE ? Fate.DONE : Fate.NOT_CURRENT;
    } catch (EngineException.Unknown e) {
      fate = Fate.IN_DOUBT;
      doubt = String.valueOf(e.getMessage());
    }
    List<TicketView> holders = seen.map(LineFacts::holders).orElse(List.of());
    return new Release(
        aim,
        fate,
        doubt,
        evict,
        reason,
        holders.stream().filter(holder -> isOf(holder, aim)).toList(),
        holders.stream().filter(holder -> !isOf(holder, aim)).toList(),
        seen);
  }

  private static boolean isOf(TicketView holder, Aim aim) {
    return Token.grant(holder.token()) == Token.grant(aim.token);
  }

  boolean isDone() {
    return fate == Fate.DONE;
  }

  boolean isInDoubt() {
    return fate == Fate.IN_DOUBT;
  }

  /** For people. */
  List<String> lines() {
    String which = Screen.safe(aim.name) + ", token " + aim.token;
    List<String> lines = new ArrayList<>();
    if (isInDoubt()) {
      lines.add("in doubt: " + which + ": " + Screen.safe(doubt));
      cutOff.forEach(holder -> lines.add("  " + who(holder)));
      lines.add("  whether it was done is not known: look again with 'holdfast show'");
      return lines;
    }
    if (!isDone()) {
      lines.add("nothing was changed: " + which + " is not current");
      others.forEach(other -> lines.add("  now in: " + who(other)));
      return lines;
    }
    lines.add((evicted ? "cut off: " : "asked to go: ") + which);
    cutOff.forEach(holder -> lines.add("  " + who(holder)));
    lines.add("  " + consequence());
    lines.add("  waiting: " + seen.map(LineFacts::waiting).orElse("0"));
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

  private String verdict() {
    return switch (fate) {
      case DONE -> evicted ? "evicted" : "revoked";
      case NOT_CURRENT -> "not-current";
      case IN_DOUBT -> "in-doubt";
    };
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", aim.name);
    json.put("token", String.valueOf(aim.token));
    json.put("verdict", verdict());
    json.put("reason", reason);
    if (isInDoubt()) {
      json.put("doubt", doubt);
    }
    boolean perhaps = fate != Fate.NOT_CURRENT;
    json.put(
        "cutOff",
        (perhaps ? cutOff : List.<TicketView>of()).stream().map(LineFacts::json).toList());
    json.put("nowIn", others.stream().map(LineFacts::json).toList());
    json.put("waiting", seen.map(facts -> facts.waiters().size()).orElse(0));
    json.put("unlistedWaiters", seen.map(facts -> facts.line().unlisted()).orElse(false));
    return json;
  }
}
