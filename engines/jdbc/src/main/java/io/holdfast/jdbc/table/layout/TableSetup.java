package io.holdfast.jdbc.table.layout;

import io.holdfast.jdbc.connection.SqlRunner;
import io.holdfast.jdbc.connection.StoreErrors;
import io.holdfast.spi.EngineException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Creates or migrates the tables and checks their layout version. The version is in the row of
 * {@code holdfast_meta} without a namespace.
 */
public final class TableSetup {

  /** Other clients that do the same may be in the way of each part once. */
  private static final int TRIES = 4;

  /**
   * A part of a migration.
   *
   * @param probe a query that fails until the part is done; empty if it is always to be done
   * @param changes the statements of the part
   */
  private record Part(String probe, List<String> changes) {}

  /**
   * The tables as they are.
   *
   * @param missing the database's error about tables that it does not have or show; then the layout
   *     is 0
   */
  private record Found(int layout, EngineException.@Nullable Refused missing) {}

  /**
   * For databases in which only one session can change a table; most of them run in this process.
   */
  private static final ReentrantLock ALONE = new ReentrantLock();

  /*
   * A migration only adds, with values that suit clients of the older version, which go on next to
   * those of this one. Each part is harmless where it is done already, so any number of clients may
   * run them at once, and the next client continues where a client that died has stopped.
   *
   * Layout 0 is that of tables from before they had a version; the newest column may be missing.
   * What was held in them stays held.
   */

  private final TableSql sql;
  private final StoreErrors words;
  private final boolean create;
  private final boolean together;

  /**
   * Creates the setup of a store's tables; no I/O.
   *
   * @param create whether they may be created and changed
   * @param together whether several clients may do so at once
   */
  public TableSetup(TableSql sql, StoreErrors words, boolean create, boolean together) {
    this.sql = sql;
    this.words = words;
    this.create = create;
    this.together = together;
  }

  /**
   * Looks for the tables; creates missing ones and migrates older ones, if that is enabled.
   *
   * @throws EngineException.Refused when they are missing or older, with the statements that fix
   *     it, or of a newer layout
   */
  public void require(SqlRunner runner) throws EngineException {
    Found found = look(runner);
    EngineException.Refused inTheWay = null;
    for (int tries = 0; found.layout < TableSql.LAYOUT; tries++) {
      if (!create || tries == TRIES) {
        throw refusal(runner, found, inTheWay);
      }
      inTheWay = together ? fix(runner, found) : fixAlone(runner);
      found = look(runner);
    }
    if (found.layout > TableSql.LAYOUT) {
      throw words.newerLayout(found.layout, TableSql.LAYOUT);
    }
  }

  private EngineException.Refused refusal(
      SqlRunner runner, Found found, EngineException.@Nullable Refused inTheWay)
      throws EngineException {
    if (found.missing != null) {
      return inTheWay == null ? found.missing : words.notCreated(found.missing, inTheWay);
    }
    EngineException.Refused refusal =
        words.olderLayout(found.layout, TableSql.LAYOUT, changes(runner, found.layout));
    if (inTheWay != null) {
      refusal.addSuppressed(inTheWay);
    }
    return refusal;
  }

  private EngineException.@Nullable Refused fixAlone(SqlRunner runner) throws EngineException {
    ALONE.lock();
    try {
      Found found = look(runner);
      return found.layout < TableSql.LAYOUT ? fix(runner, found) : null;
    } finally {
      ALONE.unlock();
    }
  }

  /** Returns what was in the way: another client that does the same, or a missing right. */
  private EngineException.@Nullable Refused fix(SqlRunner runner, Found found)
      throws EngineException {
    try {
      execute(runner, found.missing == null ? changes(runner, found.layout) : sql.tables());
      return null;
    } catch (EngineException.Refused e) {
      return e;
    }
  }

  private static void execute(SqlRunner runner, List<String> statements) throws EngineException {
    Object ignored =
        runner.statement(
            connection -> {
              connection.execute(statements);
              return connection;
            });
  }

  /** Returns the statements that remain to be run on tables of that layout. */
  private List<String> changes(SqlRunner runner, int layout) throws EngineException {
    List<String> changes = new ArrayList<>();
    for (Part part : migration(layout)) {
      if (part.probe().isEmpty() || !isDone(runner, part)) {
        changes.addAll(part.changes());
      }
    }
    return changes;
  }

  private static boolean isDone(SqlRunner runner, Part part) throws EngineException {
    try {
      execute(runner, List.of(part.probe()));
      return true;
    } catch (EngineException.Refused e) {
      return false;
    }
  }

  private Found look(SqlRunner runner) throws EngineException {
    try {
      return runner.statement(
          connection -> {
            try (ResultSet rows = connection.prepare(sql.probe()).executeQuery()) {
              rows.next();
              int newest = rows.getInt(1);
              return new Found(newest > TableSql.LAYOUT ? newest : rows.getInt(2), null);
            }
          });
    } catch (EngineException.Refused e) {
      if (e.getCause() instanceof SQLException) {
        return new Found(0, e);
      }
      throw e;
    }
  }

  /** Returns the parts of the migration from a layout, in order. */
  private List<Part> migration(int layout) {
    if (layout >= TableSql.LAYOUT) {
      return List.of();
    }
    return List.of(
        new Part(
            "select touched_us from " + sql.lock() + " where ns = ''",
            List.of(
                "alter table " + sql.lock() + " add column touched_us bigint default 0 not null")),
        // As if all had been used just now: tickets that left in doubt must be remembered for as
        // long.
        new Part(
            "", List.of(sql.fill("update {lock} set touched_us = {now} where touched_us = 0"))),
        // Last: a client that reads it finds all other parts done.
        new Part("", List.of(sql.insertVersion(), sql.raiseVersion())));
  }
}
