package io.holdfast.cli.commands.inspect;

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
 * The result of a forced release.
 *
 * @param doubt why the result is unknown; empty if it is known
 * @param cutOff the holders of the grant, as seen just before
 * @param others the other holders, as seen just before
 * @param seen the line just before; empty if nobody stood in it
 */
record ReleaseResult(
    Aim aim,
    Fate fate,
    String doubt,
    boolean evicted,
    String reason,
    List<TicketView> cutOff,
    List<TicketView> others,
    Optional<LineDescription> seen) {

  /** What happened to the grant. */
  enum Fate {
    /** The grant was evicted or revoked. */
    DONE,
    /** The grant is no longer current; nothing was changed. */
    NOT_CURRENT,
    /** Unknown: the store was asked and did not reply. */
    IN_DOUBT
  }

  /** Which grant is to go. */
  record Aim(String name, long token) {}

  /**
   * Reads the line, then asks the store to take away exactly that grant. A holder that came in
   * between has another token, and the store refuses. Without a reply the result is in doubt; it is
   * recorded all the same, as the grant may be gone.
   */
  static ReleaseResult carryOut(OperatorSession session, Aim aim, String reason, boolean evict) {
    Optional<LineDescription> seen = session.show(aim.name).map(LineDescription::new);
    Fate fate;
    String doubt = "";
    try {
      Verdict verdict = session.release(aim.name, aim.token, reason, evict);
      fate = verdict == Verdict.DONE ? Fate.DONE : Fate.NOT_CURRENT;
    } catch (EngineException.Unknown e) {
      fate = Fate.IN_DOUBT;
      doubt = String.valueOf(e.getMessage());
    }
    List<TicketView> holders = seen.map(LineDescription::holders).orElse(List.of());
    return new ReleaseResult(
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
    lines.add((evicted ? "evicted: " : "revoked: ") + which);
    cutOff.forEach(holder -> lines.add("  " + who(holder)));
    lines.add("  " + consequence());
    lines.add("  waiting: " + seen.map(LineDescription::waiting).orElse("0"));
    return lines;
  }

  private static String who(TicketView ticket) {
    return LineDescription.label(ticket.owner())
        + ", token "
        + ticket.token()
        + ", since "
        + Durations.text(ticket.age());
  }

  private String consequence() {
    if (evicted) {
      return "the holder is notified by a signal or at its next renewal; until then only the token protects what"
          + " it writes";
    }
    String latest =
        cutOff.isEmpty() ? "" : ", " + Durations.text(cutOff.get(0).leaseLeft()) + " from now";
    return "the holder is notified by a signal or at its next renewal; others get in when it has left, or its"
        + " lease ends"
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
        (perhaps ? cutOff : List.<TicketView>of()).stream().map(LineDescription::json).toList());
    json.put("nowIn", others.stream().map(LineDescription::json).toList());
    json.put("waiting", seen.map(facts -> facts.waiters().size()).orElse(0));
    json.put("unlistedWaiters", seen.map(facts -> facts.line().unlisted()).orElse(false));
    return json;
  }
}
