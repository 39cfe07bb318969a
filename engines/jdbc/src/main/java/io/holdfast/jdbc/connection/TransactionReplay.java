package io.holdfast.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Detects drivers that replay transactions on another connection.
 *
 * <p>MariaDB's driver does so with {@code transactionReplay}. Such drivers send the same statements
 * again and ignore the results. So a row that was free when it was read is overwritten, although
 * another client has taken it meanwhile, and a claim that a fence refuses the second time goes
 * unnoticed.
 */
public final class TransactionReplay {

  private static final Pattern ON = Pattern.compile("(?i)[?&]transactionReplay(=(1|true)?)?(&|$)");

  /** The name of the option, for messages. */
  public static final String OPTION = "transactionReplay";

  private TransactionReplay() {}

  /** Returns whether the driver of a connection replays; asks the driver, not the server. */
  public static boolean isOn(Connection connection) throws SQLException {
    @Nullable String url = connection.getMetaData().getURL();
    return url != null && ON.matcher(url).find();
  }
}
