package io.holdfast.jdbc.session;

import io.holdfast.jdbc.wire.Kept;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.spi.EngineException;
import java.sql.SQLException;
import java.util.List;

/**
 * Finds out whether a pooler gives our session to others between transactions: then two clients
 * have one session, and both have all of its locks.
 */
final class PoolerCheck {

  /** A busy pooler may by chance give each what it had before. */
  private static final int TIMES = 3;

  private final Runner.Store store;
  private final SessionSql sql;

  PoolerCheck(Runner.Store store, SessionSql sql) {
    this.store = store;
    this.sql = sql;
  }

  /**
   * Opens one more connection and looks whether it gets the session of the first.
   *
   * @throws EngineException.Refused when it does
   */
  void require(Kept first) throws EngineException {
    try (Kept second = Kept.open(store)) {
      for (int i = 0; i < TIMES; i++) {
        if (isShared(first, second)) {
          throw new EngineException.Refused(
              "something at "
                  + store.words().address()
                  + " gives each transaction another session, and locks that live on a session"
                  + " would be everybody's: connect to the server itself, or let the pooler keep"
                  + " sessions together (pool_mode = session), or use holdfast.mode=table");
        }
      }
    } catch (SQLException e) {
      throw store.words().failure(e);
    }
  }

  private boolean isShared(Kept first, Kept second) throws SQLException {
    String mine = session(first);
    second.begin();
    // One that has only one session would not give the first an answer now.
    boolean shared = session(second).equals(mine) || !session(first).equals(mine);
    second.rollback();
    return shared;
  }

  private String session(Kept kept) throws SQLException {
    return kept.call(link -> sql.probe(link, List.of())).session();
  }
}
