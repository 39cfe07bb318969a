package io.holdfast.jdbc;

import io.holdfast.jdbc.table.Migration;
import io.holdfast.jdbc.table.Sql;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.jdbc.wire.Words;
import io.holdfast.spi.EngineException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that the tables are there and of the layout that we know. Which they are of is written
 * in the database, in the row of {@code holdfast_meta} that has no namespace.
 */
final class Tables {

  /** Others who do the same may be in the way of each part once. */
  private static final int TRIES = 4;

  /**
   * What is there.
   *
   * @param missing what the database said of tables that it does not have or show; then the layout
   *     is 0
   */
  private record Found(int layout, EngineException.@Nullable Refused missing) {}

  /** For databases that let only one change a table; those mostly live in this process. */
  private static final ReentrantLock ALONE = new ReentrantLock();

  private final Sql sql;
  private final Words words;
  private final boolean create;
  private final boolean together;

  /**
   * The tables of a store.
   *
   * @param create whether they may be created and changed
   * @param together whether several clients may do that at once
   */
  Tables(Sql sql, Words words, boolean create, boolean together) {
    this.sql = sql;
    this.words = words;
    this.create = create;
    this.together = together;
  }

  /**
   * Looks for the tables; creates those that are missing and brings older ones to our layout, if
   * that was asked for.
   *
   * @throws EngineException.Refused when they are missing or older, with the statements that mend
   *     it, or of a newer layout
   */
  void require(Runner runner) throws EngineException {
    Found found = look(runner);
    EngineException.Refused inTheWay = null;
    for (int tries = 0; found.layout < Sql.LAYOUT; tries++) {
      if (!create || tries == TRIES) {
        throw refusal(runner, found, inTheWay);
      }
      inTheWay = together ? mend(runner, found) : mendAlone(runner);
      found = look(runner);
    }
    if (found.layout > Sql.LAYOUT) {
      throw words.newerLayout(found.layout, Sql.LAYOUT);
    }
  }

  private EngineException.Refused refusal(
      Runner runner, Found found, EngineException.@Nullable Refused inTheWay)
      throws EngineException {
    if (found.missing != null) {
      return inTheWay == null ? found.missing : words.notCreated(found.missing, inTheWay);
    }
    EngineException.Refused refusal =
        words.olderLayout(found.layout, Sql.LAYOUT, changes(runner, found.layout));
    if (inTheWay != null) {
      refusal.addSuppressed(inTheWay);
    }
    return refusal;
  }

  private EngineException.@Nullable Refused mendAlone(Runner runner) throws EngineException {
    ALONE.lock();
    try {
      Found found = look(runner);
      return found.layout < Sql.LAYOUT ? mend(runner, found) : null;
    } finally {
      ALONE.unlock();
    }
  }

  /** Answers what was in the way: somebody who does the same, or that we may not. */
  private EngineException.@Nullable Refused mend(Runner runner, Found found)
      throws EngineException {
    try {
      execute(runner, found.missing == null ? changes(runner, found.layout) : sql.tables());
      return null;
    } catch (EngineException.Refused e) {
      return e;
    }
  }

  private static void execute(Runner runner, List<String> statements) throws EngineException {
    Object ignored =
        runner.statement(
            link -> {
              link.execute(statements);
              return link;
            });
  }

  /** The statements that are left to run on tables of that layout. */
  private List<String> changes(Runner runner, int layout) throws EngineException {
    List<String> changes = new ArrayList<>();
    for (Migration.Part part : Migration.from(layout, sql)) {
      if (part.probe().isEmpty() || !isDone(runner, part)) {
        changes.addAll(part.changes());
      }
    }
    return changes;
  }

  private static boolean isDone(Runner runner, Migration.Part part) throws EngineException {
    try {
      execute(runner, List.of(part.probe()));
      return true;
    } catch (EngineException.Refused e) {
      return false;
    }
  }

  private Found look(Runner runner) throws EngineException {
    try {
      return runner.statement(
          link -> {
            try (ResultSet rows = link.prepare(sql.probe()).executeQuery()) {
              rows.next();
              int newest = rows.getInt(1);
              return new Found(newest > Sql.LAYOUT ? newest : rows.getInt(2), null);
            }
          });
    } catch (EngineException.Refused e) {
      if (e.getCause() instanceof SQLException) {
        return new Found(0, e);
      }
      throw e;
    }
  }
}
