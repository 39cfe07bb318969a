package io.holdfast.redis.redlock;

import io.holdfast.redis.connection.ReplyWords;
import io.holdfast.redis.connection.ScriptReply;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.support.OwnerText;
import java.time.Duration;
import java.util.List;

/**
 * The reply of one master to one call.
 *
 * @param master the name that messages show
 * @param votes whether it counts for new grants
 * @param note why it does not, although it replied
 * @param answer the first word of the script's reply, or a constant of this class
 * @param why what went wrong, for messages
 */
record RedlockVote(
    String master, boolean votes, String note, String answer, ReplyWords words, String why) {

  /** It was not asked: nothing has changed there. */
  static final String ABSENT = "absent";

  /** It did not reply: something may have changed there, or still will. */
  static final String SILENT = "silent";

  /** It refuses until an operator fixes it. */
  static final String UNABLE = "unable";

  private static final int LEFT_OF_RENEWED = 3;
  private static final int LEFT_OF_GRANTED = 6;
  private static final ReplyWords NO_WORDS = new ReplyWords(List.of());

  static RedlockVote of(MasterReplies heard, int call) {
    String master = heard.server().toString();
    ScriptReply reply = heard.replies().get(call);
    if (reply instanceof ScriptReply.Value value) {
      ReplyWords words = ReplyWords.of(value.value());
      boolean unable = words.first().equals("V") || words.first().equals("F");
      return new RedlockVote(
          master,
          heard.votes(),
          heard.note(),
          unable ? UNABLE : words.first(),
          words,
          unable(words));
    }
    EngineException why = ((ScriptReply.Failed) reply).why();
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

  private static String unable(ReplyWords words) {
    return switch (words.first()) {
      case "V" -> "is in a layout hf" + words.text(1) + ", and this client knows hf1";
      case "F" -> "has a key of another program in the way";
      default -> "";
    };
  }

  boolean is(String expected) {
    return answer.equals(expected);
  }

  /** Returns whether the script has run and replied. */
  boolean isHeard() {
    return !is(ABSENT) && !is(SILENT) && !is(UNABLE);
  }

  /** Returns whether the master has the ticket with this ballot. */
  boolean has(long ballot) {
    return (is("G") || is("R")) && words.number(1) == ballot;
  }

  /**
   * Returns what is left of the lease there, at least what was requested: it may have been longer.
   */
  Duration left(Duration lease) {
    int at = is("R") ? LEFT_OF_RENEWED : LEFT_OF_GRANTED;
    Duration left = Duration.ofMillis(words.hasMoreThan(at) ? words.number(at) : 0);
    return left.compareTo(lease) > 0 ? left : lease;
  }

  /** Returns the master and its reply. */
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
