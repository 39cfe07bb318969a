package io.holdfast.zookeeper.layout;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.data.Stat;

/**
 * What the node of a semaphore's ticket says about its grant.
 *
 * @param source whether the ticket is granted, and which transaction its token comes from
 * @param statedZxid the id of that transaction, if the node states it
 */
public record RecordedGrant(Source source, long statedZxid) {

  /** The transaction that the token comes from. */
  public enum Source {
    /** The ticket is not granted, or did not have to record it. */
    NOT_RECORDED,
    /** The join. */
    JOIN,
    /** The write that recorded the grant, which is the node's last write. */
    THIS_WRITE,
    /** A stated transaction: the node was written to since. */
    STATED
  }

  public static final RecordedGrant NONE = new RecordedGrant(Source.NOT_RECORDED, 0);
  public static final RecordedGrant BY_JOIN = new RecordedGrant(Source.JOIN, 0);
  public static final RecordedGrant BY_THIS_WRITE = new RecordedGrant(Source.THIS_WRITE, 0);

  private static final Pattern STATED = Pattern.compile("in (\\d{1,18})");

  /** Returns a grant whose token comes from this transaction. */
  public static RecordedGrant at(long zxid) {
    return new RecordedGrant(Source.STATED, zxid);
  }

  /** Returns whether the node says that its ticket is granted. */
  public boolean isGranted() {
    return source != Source.NOT_RECORDED;
  }

  /** Returns the id of the transaction that the token comes from. */
  public long zxid(Stat stat) {
    return switch (source) {
      case NOT_RECORDED, JOIN -> stat.getCzxid();
      case THIS_WRITE -> stat.getMzxid();
      case STATED -> statedZxid;
    };
  }

  String text() {
    return switch (source) {
      case NOT_RECORDED -> "";
      case JOIN -> "in";
      case THIS_WRITE -> "in now";
      case STATED -> "in " + statedZxid;
    };
  }

  /** Parses what {@link #text} wrote; anything else records no grant. */
  static RecordedGrant parse(String text) {
    Matcher matcher = STATED.matcher(text);
    if (matcher.matches()) {
      return at(Long.parseLong(matcher.group(1)));
    }
    return switch (text) {
      case "in" -> BY_JOIN;
      case "in now" -> BY_THIS_WRITE;
      default -> NONE;
    };
  }
}
