package io.holdfast.jdbc.wire;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.Setting;
import io.holdfast.jdbc.dialect.Trouble;
import io.holdfast.spi.EngineException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * A connection that something lives on: it is never replaced by another. One thread at a time uses
 * it; {@link #breakOff()} may come from any thread.
 */
public final class Kept implements AutoCloseable {

  private final Link link;
  private final Runner.Store store;
  private boolean inTransaction;
  private String session = "";

  private Kept(Link link, Runner.Store store) {
    this.link = link;
    this.store = store;
  }

  /** Opens one; blocks for as long as a connection may take. */
  public static Kept open(Runner.Store store) throws EngineException {
    return new Kept(new Runner(store).connect(), store);
  }

  /**
   * Runs work in the transaction that is open, or statement by statement if there is none. Nothing
   * is run twice, and nothing is rolled back.
   */
  public <T> T call(Runner.Work<T> work) throws SQLException {
    link.working(true);
    try {
      return work.run(link);
    } catch (SQLException thrown) {
      SQLException e = link.explain(thrown);
      Trouble trouble = store.dialect().trouble(e);
      if (trouble == Trouble.LOST || trouble == Trouble.READ_ONLY) {
        link.wornOut();
      }
      throw e;
    } catch (RuntimeException e) {
      // Nobody knows what is still on the wire.
      link.wornOut();
      throw e;
    } finally {
      link.working(false);
    }
  }

  /** Runs statements without parameters. */
  public void execute(List<String> statements) throws SQLException {
    Object ignored =
        call(
            open -> {
              open.execute(statements);
              return statements;
            });
  }

  /** Runs statements that change settings; those of a connection that is lent are put back. */
  public void change(List<Setting> changes, List<String> statements) throws SQLException {
    Object ignored =
        call(
            open -> {
              open.change(changes, statements);
              return statements;
            });
  }

  /**
   * Gives its session a name, by which it is known again. Not behind a pooler that gives each
   * transaction another session.
   */
  public void nameSession() throws SQLException {
    Dialect dialect = store.dialect();
    String name = UUID.randomUUID().toString().replace("-", "");
    change(dialect.sessionChanges(), List.of(dialect.nameSession(name)));
    session = call(Kept::askSession);
  }

  private static String askSession(Link link) throws SQLException {
    try (ResultSet rows = link.prepare("select " + link.dialect().sessionName()).executeQuery()) {
      rows.next();
      return rows.getString(1);
    }
  }

  /** The number and name of its session; empty if it was not named. */
  public String session() {
    return session;
  }

  /** Begins a transaction. */
  public void begin() throws SQLException {
    inTransaction = true;
    Object ignored =
        call(
            open -> {
              open.begin();
              return open;
            });
  }

  /** Commits it. */
  public void commit() throws SQLException {
    Object ignored =
        call(
            open -> {
              open.commit();
              return open;
            });
    inTransaction = false;
  }

  /** Undoes it, if there is one; a connection that cannot is broken. */
  public void rollback() {
    if (inTransaction) {
      inTransaction = false;
      link.working(true);
      try {
        link.rollback();
      } finally {
        link.working(false);
      }
    }
  }

  /**
   * Whether something stands between us and the server that may give every transaction another
   * session of the server.
   */
  public boolean isPooled() {
    return link.isPooled();
  }

  /** Whether it is of no use any more. */
  public boolean isBroken() {
    return link.isBroken();
  }

  /** Whether it is given back to somebody. */
  public boolean isLent() {
    return store.connector().lends();
  }

  /** Ends it at once, whatever it is doing; any thread. */
  public void breakOff() {
    link.wornOut();
    link.close();
  }

  /** Ends it, or gives it back. */
  @Override
  public void close() {
    link.close();
  }
}
