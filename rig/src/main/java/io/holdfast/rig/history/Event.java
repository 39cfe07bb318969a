package io.holdfast.rig.history;

import java.util.regex.Pattern;

/**
 * One line of a history.
 *
 * @param nanos {@code System.nanoTime()}, which processes of one Linux machine share
 * @param process whose event it is
 * @param lock the name of the lock, or of the guarded resource; empty if it is about the process
 * @param hold the id of the claim, unique within the lock; empty if it is about the process
 * @param weight how much of the lock's capacity the claim takes
 * @param token the fencing token, or {@link #NO_TOKEN}
 * @param deadline until when the holder may believe, or {@link #NO_DEADLINE}
 */
public record Event(
    long nanos,
    String process,
    String lock,
    String hold,
    int weight,
    Op op,
    Phase phase,
    long token,
    long deadline) {
  /** The event has no token. */
  public static final long NO_TOKEN = -1;

  /** The holder believes until it is notified otherwise. */
  public static final long NO_DEADLINE = Long.MAX_VALUE;

  private static final int FIELDS = 9;
  private static final Pattern TAB = Pattern.compile("\t");

  /** Refuses a weight below 1. */
  public Event {
    if (weight < 1) {
      throw new IllegalArgumentException("must be >= 1: weight=" + weight);
    }
  }

  public boolean is(Op anOp, Phase aPhase) {
    return op == anOp && phase == aPhase;
  }

  /** One line without its end. */
  String toLine() {
    return String.join(
        "\t",
        Long.toString(nanos),
        escape(process),
        escape(lock),
        escape(hold),
        Integer.toString(weight),
        op.name(),
        phase.name(),
        Long.toString(token),
        Long.toString(deadline));
  }

  /**
   * The reverse of {@link #toLine}.
   *
   * @throws IllegalArgumentException when it is not such a line
   */
  static Event parse(String line) {
    String[] field = TAB.split(line, -1);
    if (field.length != FIELDS) {
      throw new IllegalArgumentException("must have " + FIELDS + " fields: " + line);
    }
    return new Event(
        Long.parseLong(field[0]),
        unescape(field[1]),
        unescape(field[2]),
        unescape(field[3]),
        Integer.parseInt(field[4]),
        Op.valueOf(field[5]),
        Phase.valueOf(field[6]),
        Long.parseLong(field[7]),
        Long.parseLong(field[8]));
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  private static String unescape(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        c =
            switch (text.charAt(i)) {
              case 't' -> '\t';
              case 'n' -> '\n';
              case 'r' -> '\r';
              default -> text.charAt(i);
            };
      }
      plain.append(c);
    }
    return plain.toString();
  }
}
