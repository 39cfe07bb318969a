package io.holdfast.zookeeper;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.data.Stat;

/**
 * What the node of a semaphore's ticket says of its entry. The number is the store's, of the
 * transaction that the token goes by.
 *
 * @param how whether it is in, and where the number is found
 * @param stated the number, if it is stated
 */
record Entered(How how, long stated) {

  /** Where the number is found. */
  enum How {
    /** It is not in, or did not have to write it down. */
    NO,
    /** It is the number of the join. */
    WITH_JOIN,
    /** It is the number of the very write that says so, the node's last. */
    WITH_THIS,
    /** It is stated: the node was written to since. */
    STATED
  }

  static final Entered NO = new Entered(How.NO, 0);
  static final Entered WITH_JOIN = new Entered(How.WITH_JOIN, 0);
  static final Entered WITH_THIS = new Entered(How.WITH_THIS, 0);

  private static final Pattern STATED = Pattern.compile("in (\\d{1,18})");

  static Entered at(long number) {
    return new Entered(How.STATED, number);
  }

  boolean isIn() {
    return how != How.NO;
  }

  /** The number of the token. */
  long number(Stat stat) {
    return switch (how) {
      case NO, WITH_JOIN -> stat.getCzxid();
      case WITH_THIS -> stat.getMzxid();
      case STATED -> stated;
    };
  }

  String text() {
    return switch (how) {
      case NO -> "";
      case WITH_JOIN -> "in";
      case WITH_THIS -> "in now";
      case STATED -> "in " + stated;
    };
  }

  /** Reads what {@link #text} wrote; anything else is not ours, and says nothing. */
  static Entered read(String text) {
    Matcher matcher = STATED.matcher(text);
    if (matcher.matches()) {
      return at(Long.parseLong(matcher.group(1)));
    }
    return switch (text) {
      case "in" -> WITH_JOIN;
      case "in now" -> WITH_THIS;
      default -> NO;
    };
  }
}
