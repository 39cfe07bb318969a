package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.connection.JdbcStore;
import io.holdfast.jdbc.connection.PinnedConnection;
import io.holdfast.spi.EngineException;
import java.sql.SQLException;
import java.util.List;

/**
 * Detects a pooler that shares our session between transactions. Then two clients would have one
 * session, and both all of its locks.
 */
final class PoolerCheck {

  /** A busy pooler may by chance give each client the session that it had before. */
  private static final int TIMES = 3;

  private final JdbcStore store;
  private final SessionLocks sql;

  PoolerCheck(JdbcStore store, SessionLocks sql) {
    this.store = store;
    this.sql = sql;
  }

  /**
   * Opens one more connection and checks whether it gets the session of the first.
   *
   * @throws EngineException.Refused when it does
   */
  void require(PinnedConnection first) throws EngineException {
    try (PinnedConnection second = PinnedConnection.open(store)) {
      for (int i = 0; i < TIMES; i++) {
        if (isShared(first, second)) {
          throw new EngineException.Refused(
              "something at "
                  + store.errors().address()
                  + " gives each transaction another session, and locks that live on a session"
                  + " would belong to every client: connect to the server itself, or let the pooler keep"
                  + " sessions together (pool_mode = session), or use holdfast.mode=table");
        }
      }
    } catch (SQLException e) {
      throw store.errors().failure(e);
    }
  }

  private boolean isShared(PinnedConnection first, PinnedConnection second) throws SQLException {
    String mine = session(first);
    second.begin();
    // A pooler with only one session would not serve the first connection now.
    boolean shared = session(second).equals(mine) || !session(first).equals(mine);
    second.rollback();
    return shared;
  }

  private String session(PinnedConnection pinned) throws SQLException {
    return pinned.call(connection -> sql.probe(connection, List.of())).session();
  }
}
