package io.holdfast.jdbc.wire;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Drivers that repeat a transaction on another connection when theirs breaks: MariaDB's, if {@code
 * transactionReplay} is on. They send the same statements again and look at no answer. So a row
 * that was free when it was read is written over, although somebody has taken it meanwhile, and a
 * claim that a fence refuses the second time is not noticed.
 */
public final class Replay {

  private static final Pattern ON = Pattern.compile("(?i)[?&]transactionReplay(=(1|true)?)?(&|$)");

  /** What it is called, for people. */
  public static final String OPTION = "transactionReplay";

  private Replay() {}

  /** Whether the driver of a connection does so; asks the driver, not the server. */
  public static boolean isOn(Connection connection) throws SQLException {
    @Nullable String url = connection.getMetaData().getURL();
    return url != null && ON.matcher(url).find();
  }
}
