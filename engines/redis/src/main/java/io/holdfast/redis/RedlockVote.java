package io.holdfast.redis;

import io.holdfast.redis.wire.Heard;
import io.holdfast.redis.wire.Reply;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.List;

/**
 * What one master said to one call.
 *
 * @param master for people
 * @param votes whether its word counts for new grants
 * @param note why not, although it answered
 * @param answer the first word of the script's answer, or one of the constants here
 * @param why what went wrong, for people
 */
record RedlockVote(
    String master, boolean votes, String note, String answer, Words words, String why) {

  /** It was not asked: nothing has changed there. */
  static final String ABSENT = "absent";

  /** It did not answer: something may have changed there, or still will. */
  static final String SILENT = "silent";

  /** It will not do this until somebody mends it. */
  static final String UNABLE = "unable";

  private static final int LEFT_OF_RENEWED = 3;
  private static final int LEFT_OF_GRANTED = 6;
  private static final Words NO_WORDS = new Words(List.of());

  static RedlockVote of(Heard heard, int call) {
    String master = heard.server().toString();
    Reply reply = heard.replies().get(call);
    if (reply instanceof Reply.Value value) {
      Words words = Words.of(value.value());
      boolean unable = words.first().equals("V") || words.first().equals("F");
      return new RedlockVote(
          master,
          heard.votes(),
          heard.note(),
          unable ? UNABLE : words.first(),
          words,
          unable(words));
    }
    EngineException why = ((Reply.Failed) reply).why();
    String text = String.valueOf(why.getMessage());
    String said = text.startsWith(master + " ") ? text.substring(master.length() + 1) : text;
    return new RedlockVote(master, heard.votes(), heard.note(), kind(why), NO_WORDS, said);
  }

  private static String kind(EngineException why) {
    if (why instanceof EngineException.Refused) {
      return UNABLE;
    }
    return why instanceof EngineException.NotDone ? ABSENT : SILENT;
  }

  private static String unable(Words words) {
    return switch (words.first()) {
      case "V" -> "is in a layout hf" + words.text(1) + ", and this client knows hf1";
      case "F" -> "has a key of another program in the way";
      default -> "";
    };
  }

  boolean is(String expected) {
    return answer.equals(expected);
  }

  /** Whether the script has run and answered. */
  boolean isHeard() {
    return !is(ABSENT) && !is(SILENT) && !is(UNABLE);
  }

  /** Whether the ticket is in there with this ballot. */
  boolean has(long ballot) {
    return (is("G") || is("R")) && words.number(1) == ballot;
  }

  /**
   * What is left of a lease there, at least what was asked for: it may have been to last longer.
   */
  Duration left(Duration lease) {
    int at = is("R") ? LEFT_OF_RENEWED : LEFT_OF_GRANTED;
    Duration left = Duration.ofMillis(words.hasMoreThan(at) ? words.number(at) : 0);
    return left.compareTo(lease) > 0 ? left : lease;
  }

  /** Who said what. */
  @Override
  public String toString() {
    String said =
        switch (answer) {
          case "G" -> "granted";
          case "H" -> "held by " + OwnerText.read(words.text(4));
          case "C" -> "is free for ballots above " + words.text(1) + " up to " + words.text(2);
          case "R" -> "renewed";
          case "U" -> "does not have it";
          case "X" -> "knows that the ticket has left";
          case "N" -> "has seen generation " + words.text(1);
          default -> why.isEmpty() ? answer : why;
        };
    return master + " " + said + (note.isEmpty() ? "" : ", but " + note);
  }
}
