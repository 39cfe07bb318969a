package io.holdfast.jdbc;

import io.holdfast.jdbc.table.Sql;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.jdbc.wire.Words;
import io.holdfast.spi.EngineException;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Sees to it that the tables are there and of a layout that we know. */
final class Tables {

  private final Sql sql;
  private final Words words;
  private final boolean create;

  Tables(Sql sql, Words words, boolean create) {
    this.sql = sql;
    this.words = words;
    this.create = create;
  }

  /**
   * Looks for the tables, and creates them if they are missing and that was asked for.
   *
   * @throws EngineException.Refused when they are missing, with the statements that create them, or
   *     of a newer layout
   */
  void require(Runner runner) throws EngineException {
    try {
      requireLayout(layout(runner));
    } catch (EngineException.Refused e) {
      if (!create || !(e.getCause() instanceof SQLException)) {
        throw e;
      }
      create(runner);
      requireLayout(layout(runner));
    }
  }

  private void create(Runner runner) throws EngineException {
    try {
      runner.statement(
          link -> {
            link.execute(sql.tables());
            return true;
          });
    } catch (EngineException.Refused e) {
      // Two that create at once get in each other's way; who may not create gets the statements.
      try {
        layout(runner);
      } catch (EngineException.Refused missing) {
        missing.addSuppressed(e);
        throw missing;
      }
    }
  }

  private int layout(Runner runner) throws EngineException {
    return runner.statement(
        link -> {
          try (ResultSet rows = link.prepare(sql.probe()).executeQuery()) {
            rows.next();
            return rows.getInt(1);
          }
        });
  }

  private void requireLayout(int layout) throws EngineException.Refused {
    if (layout > Sql.LAYOUT) {
      throw new EngineException.Refused(
          "the tables at "
              + words.address()
              + " have the layout hf"
              + layout
              + ", and this version knows hf"
              + Sql.LAYOUT
              + ": use a newer version of Holdfast");
    }
  }
}
