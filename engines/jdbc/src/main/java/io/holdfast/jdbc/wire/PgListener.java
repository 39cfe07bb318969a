package io.holdfast.jdbc.wire;

import io.holdfast.jdbc.dialect.PostgreSql;
import io.holdfast.spi.EngineException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Listens on channels of PostgreSQL, with a connection and a daemon thread of its own. When the
 * connection is lost it connects again; what was said meanwhile is lost, and everybody is told.
 */
public final class PgListener implements AutoCloseable {

  /** Who hears. Called on the listener's thread; must not block. */
  public interface Ear {

    /** From now on everything is heard; what was said before may have been missed. */
    void armed();

    /** Something was said on a channel. */
    void heard(String channel, String words);

    /** The connection was lost; it is made anew. */
    void lost();

    /** Nothing will be heard, for this reason. */
    void silent(String why);
  }

  /** Why nothing is heard where a pooler is. */
  public static final String POOLER = "a pooler stands between this client and the server";

  private static final int LOOK_MILLIS = 5000;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Connector connector;
  private final List<String> channels;
  private final Duration timeout;
  private final Ear ear;
  private final Thread thread;
  private volatile @Nullable Connection connection;
  private volatile boolean closed;

  /** Listens from {@link #start()} on. */
  public PgListener(Connector connector, List<String> channels, Duration timeout, Ear ear) {
    this.connector = connector;
    this.channels = channels;
    this.timeout = timeout;
    this.ear = ear;
    this.thread = new Thread(this::run, "holdfast-jdbc-listener");
    thread.setDaemon(true);
  }

  /** Whether the driver that can listen is there. */
  public static boolean isPossible() {
    return PgSession.isThere();
  }

  /** Begins; does not wait until it listens. */
  public void start() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      try {
        if (!listen()) {
          return;
        }
      } catch (SQLException | RuntimeException e) {
        if (!closed) {
          ear.lost();
        }
      } catch (EngineException e) {
        ear.silent(String.valueOf(e.getMessage()));
        return;
      } finally {
        drop();
      }
      if (!closed) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** Listens until the connection breaks; false when it makes no sense here. */
  private boolean listen() throws SQLException, EngineException.Refused {
    Connection open = connector.connect();
    connection = open;
    if (closed || !open.isWrapperFor(PGConnection.class)) {
      ear.silent("the connection is not one of PostgreSQL's own driver");
      return false;
    }
    if (PgSession.isBehindPooler(open, new PostgreSql())) {
      ear.silent(POOLER);
      return false;
    }
    open.setNetworkTimeout(Runnable::run, (int) timeout.toMillis());
    try (Statement statement = open.createStatement()) {
      for (String channel : channels) {
        // In quotes, so that it is the channel that is notified, letter by letter.
        statement.execute("listen \"" + channel + "\"");
      }
      ear.armed();
      hear(open.unwrap(PGConnection.class), statement);
    }
    return true;
  }

  private void hear(PGConnection listening, Statement statement) throws SQLException {
    while (!closed) {
      PGNotification[] said = listening.getNotifications(LOOK_MILLIS);
      if (said == null || said.length == 0) {
        // A server that is gone without a farewell does not answer this.
        statement.execute("select 1");
      } else {
        for (PGNotification each : said) {
          ear.heard(each.getName(), each.getParameter());
        }
      }
    }
  }

  /** Not given back to a pool: it listens. */
  private void drop() {
    Connection open = connection;
    connection = null;
    if (open == null) {
      return;
    }
    try {
      open.abort(Runnable::run);
      open.close();
    } catch (SQLException | RuntimeException e) {
      // It is closed, or as good as.
      return;
    }
  }

  @Override
  public void close() {
    closed = true;
    drop();
    LockSupport.unpark(thread);
  }
}
