package io.holdfast.redis;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineException.NotDone;
import io.holdfast.spi.EngineException.Unknown;
import io.holdfast.spi.Left;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.Optional;

/** Reads what the scripts answer. The first word says which answer it is. */
final class Answers {

  /** Begins the answer of the quick way, which is one word: granted, and nobody waits. */
  private static final String QUICKLY = "g";

  private final Refusals refusals;
  private final RedisRefusals own;

  Answers(Refusals refusals, RedisRefusals own) {
    this.refusals = refusals;
    this.own = own;
  }

  /** Whether a ticket has just got in, rather than being in since before. */
  static boolean isFresh(Words words) {
    return words.first().startsWith(QUICKLY)
        || (words.first().equals("G") && words.text(3).equals("fresh"))
        || hasWaited(words);
  }

  /** Whether a ticket has just got in that stood in line before. */
  static boolean hasWaited(Words words) {
    return words.first().equals("G") && words.text(3).equals("called");
  }

  /** The token of a grant. */
  static long token(Words words) {
    return Long.parseLong(
        words.first().startsWith(QUICKLY)
            ? words.first().substring(QUICKLY.length())
            : words.text(1));
  }

  /** Whether the ticket is in. */
  static boolean isGranted(Words words) {
    return words.first().startsWith(QUICKLY) || words.first().equals("G");
  }

  Standing standing(Ticket ticket, Words words) throws EngineException {
    if (words.first().startsWith(QUICKLY)) {
      return new Standing.Granted(token(words), ticket.lease(), false);
    }
    return switch (words.first()) {
      case "G" -> new Standing.Granted(token(words), ticket.lease(), words.number(2) == 1);
      case "W" -> waiting(words);
      case "D" -> new Standing.Done(Duration.ofMillis(Math.max(0, words.number(1))));
      default -> throw refusal(ticket, words);
    };
  }

  private static Standing waiting(Words words) {
    Duration left = Duration.ofMillis(Math.max(1, words.number(2)));
    String token = words.text(3);
    return new Standing.Waiting(
        (int) words.number(1),
        left,
        token.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Standing.Holder(OwnerText.read(words.text(4)), Long.parseLong(token), left)));
  }

  /**
   * The lease is promised and no more, though more may be left: that counts on the server's wall
   * clock, which may have gone back.
   */
  Renewal renewal(Ticket ticket, Words words) throws EngineException {
    return switch (words.first()) {
      case "R0" -> new Renewal.Renewed(ticket.lease(), false);
      case "R1" -> new Renewal.Renewed(ticket.lease(), true);
      case "U" -> new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, "");
      case "X" ->
          words.text(1).equals("l")
              ? new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, "")
              : new Renewal.Gone(Renewal.Cause.REVOKED, reason(words));
      default -> throw refusal(ticket, words);
    };
  }

  static Left left(Words words) {
    return switch (words.first()) {
      case "H" -> Left.HOLDING;
      case "W" -> Left.WAITING;
      default -> Left.NOTHING;
    };
  }

  boolean resized(Ticket ticket, Words words) throws EngineException {
    return switch (words.first()) {
      case "R" -> true;
      case "U" -> false;
      default -> throw refusal(ticket, words);
    };
  }

  private EngineException refusal(Ticket ticket, Words words) {
    return switch (words.first()) {
      case "X" ->
          words.text(1).equals("l")
              ? refusals.left(ticket)
              : refusals.revoked(ticket, reason(words));
      case "S" ->
          refusals.shape(ticket, Calls.shape(words.text(1), Integer.parseInt(words.text(2))));
      case "F" -> own.foreign(ticket, words.text(1));
      case "V" -> own.layout(ticket, words.text(1));
      case "N" -> refusals.generation(ticket, (int) words.number(1));
      case "A" -> refusals.nothingToAdopt(ticket);
      case "C" -> refusals.heavierThanCapacity(ticket, words.number(1));
      case "H" -> refusals.heavierThanBefore(ticket, words.number(1));
      case "Q" ->
          new NotDone(
              refusals.about(ticket)
                  + " is in quarantine for another "
                  + words.number(1)
                  + " ms: another server process has taken over and may not know the last grants",
              null);
      default -> new Unknown(refusals.about(ticket) + ": not understood: " + words.first(), null);
    };
  }

  private static String reason(Words words) {
    String text = words.text(1);
    return text.length() > 2 ? text.substring(2) : "";
  }
}
