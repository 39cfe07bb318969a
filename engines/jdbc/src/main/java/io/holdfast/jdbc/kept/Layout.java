package io.holdfast.jdbc.kept;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.Trouble;
import io.holdfast.jdbc.table.Sql;
import io.holdfast.jdbc.wire.Kept;
import io.holdfast.jdbc.wire.Link;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.spi.EngineException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** What a mode needs in the database beside its locks: the counter, and who is of which age. */
public final class Layout {

  private static final int TRIES = 6;
  private static final long PAUSE_NANOS = 60_000_000;

  private final Dialect dialect;
  private final String meta;
  private final Mint mint;
  private final List<String> tables;
  private final List<String> creates;
  private final boolean create;

  /**
   * What a mode needs.
   *
   * @param more tables that this mode needs beside, and what creates them
   * @param create whether what is missing is created
   */
  public Layout(Dialect dialect, String prefix, Map<String, String> more, boolean create) {
    this.dialect = dialect;
    this.meta = prefix + "meta";
    this.mint = Mint.of(dialect, prefix);
    this.create = create;
    Map<String, String> sorted = new TreeMap<>(more);
    this.tables = List.copyOf(sorted.keySet());
    this.creates = new ArrayList<>(sorted.values());
    // The mode table has the same one: generations outlive a change of the mode.
    dialect.tables(prefix).stream()
        .filter(sql -> sql.contains(" " + meta + " "))
        .forEach(creates::add);
    creates.addAll(mint.creates());
  }

  /** The statements that create all of it. */
  public List<String> creates() {
    return creates;
  }

  /** Where tokens come from. */
  public Mint mint() {
    return mint;
  }

  /** The generation that a namespace has seen, as a part of a statement; null if none. */
  public String generation(String namespace) {
    return "(select m.generation from " + meta + " m where m.ns = " + namespace + ")";
  }

  /**
   * Sees to it that all is there, and raises the counter to the clock.
   *
   * @throws EngineException.Refused when something is missing, with the statements that create it,
   *     or of a newer layout
   */
  public void require(Kept kept, Runner.Store store) throws EngineException {
    int layout;
    try {
      layout = kept.call(this::look);
    } catch (SQLException e) {
      List<String> mends = mint.mends(e);
      if (!create || (mends.isEmpty() && dialect.trouble(e) != Trouble.NO_TABLE)) {
        throw store.words().failure(e);
      }
      layout = createAndLook(kept, store, mends);
    }
    // That of an older one is none of ours: what we use of it has not changed.
    if (layout > Sql.LAYOUT) {
      throw store.words().newerLayout(layout, Sql.LAYOUT);
    }
  }

  /**
   * Two that create at once get in each other's way, and the one that fails looks before the other
   * is done; who may not create gets the statements.
   */
  private int createAndLook(Kept kept, Runner.Store store, List<String> mends)
      throws EngineException {
    for (int tries = 1; ; tries++) {
      SQLException failed = null;
      try {
        kept.execute(mends);
        kept.execute(creates);
      } catch (SQLException e) {
        failed = e;
      }
      try {
        return kept.call(this::look);
      } catch (SQLException e) {
        if (tries == TRIES || dialect.trouble(e) != Trouble.NO_TABLE) {
          if (failed != null) {
            e.addSuppressed(failed);
          }
          throw store.words().failure(e);
        }
      }
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(PAUSE_NANOS / 2, PAUSE_NANOS));
    }
  }

  private int look(Link link) throws SQLException {
    mint.raise(link);
    for (String table : tables) {
      try (ResultSet rows =
          link.prepare("select count(*) from " + table + " where ns = ''").executeQuery()) {
        rows.next();
      }
    }
    try (ResultSet rows = link.prepare("select max(layout) from " + meta).executeQuery()) {
      rows.next();
      return rows.getInt(1);
    }
  }

  /** A client of a higher generation came. */
  public void raiseGeneration(Link link, String namespace, int generation) throws SQLException {
    PreparedStatement insert =
        link.prepare(dialect.insertAbsent(meta, "ns, generation, layout", "?, 0, " + Sql.LAYOUT));
    insert.setString(1, namespace);
    insert.executeUpdate();
    PreparedStatement raise =
        link.prepare("update " + meta + " set generation = ? where ns = ? and generation < ?");
    raise.setInt(1, generation);
    raise.setString(2, namespace);
    raise.setInt(3, generation);
    raise.executeUpdate();
  }
}
