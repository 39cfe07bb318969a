package io.holdfast.jdbc.table.signals;

import io.holdfast.jdbc.connection.Connector;
import io.holdfast.jdbc.connection.PgDriver;
import io.holdfast.jdbc.dialect.PostgreSql;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.support.BackgroundLoop;
import io.holdfast.spi.support.RetryDelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Listens on channels of PostgreSQL, with a connection and a thread of its own. When the connection
 * is lost it reconnects; notifications in between are lost, which the handler is notified of.
 */
public final class PgListener implements AutoCloseable {

  /** Receives notifications. Called on the listener's thread; must not block. */
  public interface Handler {

    /** Listening from now on; earlier notifications may have been missed. */
    void listening();

    /** A notification arrived on a channel. */
    void notified(String channel, String words);

    /** The connection was lost; the listener reconnects. */
    void connectionLost();

    /** No notification will arrive, for this reason. */
    void unavailable(String why);
  }

  /** Why no notifications arrive behind a pooler. */
  public static final String POOLER = "a pooler stands between this client and the server";

  private static final int LOOK_MILLIS = 5000;

  private static final RetryDelay RECONNECT =
      RetryDelay.steady(Duration.ofMillis(250), () -> ThreadLocalRandom.current().nextDouble());

  private final Connector connector;
  private final List<String> channels;
  private final Duration timeout;
  private final Handler handler;
  private final BackgroundLoop loop;
  private volatile @Nullable Connection connection;

  /** Listens from {@link #start()} on. */
  public PgListener(Connector connector, List<String> channels, Duration timeout, Handler handler) {
    this.connector = connector;
    this.channels = channels;
    this.timeout = timeout;
    this.handler = handler;
    this.loop = new BackgroundLoop("holdfast-jdbc-listener", Thread::new, this::listenOnce);
  }

  /** Returns whether the driver that can listen is on the class path. */
  public static boolean isPossible() {
    return PgDriver.isThere();
  }

  /** Starts; does not wait until it listens. */
  public void start() {
    loop.start();
  }

  /** Returns the pause before the next connection. */
  private long listenOnce() {
    try {
      if (!listen()) {
        return BackgroundLoop.STOP;
      }
    } catch (SQLException | RuntimeException e) {
      if (!loop.isClosed()) {
        handler.connectionLost();
      }
    } catch (EngineException e) {
      handler.unavailable(String.valueOf(e.getMessage()));
      return BackgroundLoop.STOP;
    } finally {
      drop();
    }
    return RECONNECT.nanosAfter(1);
  }

  /** Listens until the connection breaks; returns false when listening is impossible here. */
  private boolean listen() throws SQLException, EngineException.Refused {
    Connection open = connector.connect();
    connection = open;
    if (loop.isClosed() || !open.isWrapperFor(PGConnection.class)) {
      handler.unavailable("the connection is not one of PostgreSQL's own driver");
      return false;
    }
    if (PgDriver.isBehindPooler(open, new PostgreSql())) {
      handler.unavailable(POOLER);
      return false;
    }
    open.setNetworkTimeout(Runnable::run, (int) timeout.toMillis());
    try (Statement statement = open.createStatement()) {
      for (String channel : channels) {
        // In quotes: channel names are case-sensitive.
        statement.execute("listen \"" + channel + "\"");
      }
      handler.listening();
      receive(open.unwrap(PGConnection.class), statement);
    }
    return true;
  }

  private void receive(PGConnection listening, Statement statement) throws SQLException {
    while (!loop.isClosed()) {
      PGNotification[] said = listening.getNotifications(LOOK_MILLIS);
      if (said == null || said.length == 0) {
        // Detects a server that vanished without closing the connection.
        statement.execute("select 1");
      } else {
        for (PGNotification each : said) {
          handler.notified(each.getName(), each.getParameter());
        }
      }
    }
  }

  /** Aborted, not given back to a pool, because it listens. */
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
    loop.close();
    drop();
  }
}
