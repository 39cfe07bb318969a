package io.holdfast.jdbc.wire;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.Trouble;
import io.holdfast.spi.EngineException;
import java.sql.SQLException;
import java.util.List;

/** What is said when the database fails: what happened, at which store, and what to do. */
public final class Words {

  private final Dialect dialect;
  private final String address;
  private final List<String> tables;

  /**
   * Words about a store.
   *
   * @param address without secrets
   * @param tables the statements that create its tables
   */
  public Words(Dialect dialect, String address, List<String> tables) {
    this.dialect = dialect;
    this.address = address;
    this.tables = tables;
  }

  /** The store's address, without secrets. */
  public String address() {
    return address;
  }

  /** The failure of something that surely was not executed, or will never be. */
  public EngineException failure(SQLException error) {
    String said = address + ": " + error.getMessage();
    return switch (dialect.trouble(error)) {
      case AGAIN ->
          new EngineException.NotDone(
              "the database was too busy, and nothing was done, at " + said + dialect.whyBusy(),
              error);
      case FULL ->
          new EngineException.NotDone(
              "the disk of the database is full, and nothing was done: make room at " + said,
              error);
      case LOST -> new EngineException.NotDone("no connection to " + said, error);
      case READ_ONLY ->
          new EngineException.NotDone(
              "the database only reads: connect to the one that writes, at " + said, error);
      case NO_TABLE -> noTables(error);
      case REFUSED ->
          new EngineException.Refused(
              "the database refused it, at "
                  + said
                  + (dialect.lacksRight(error)
                      ? "; the user needs the rights to select, insert, update and delete in its"
                          + " tables"
                      : ""),
              error);
    };
  }

  /** The failure of something that was sent and not answered. */
  public EngineException doubt(SQLException error) {
    return dialect.trouble(error) == Trouble.LOST
        ? new EngineException.Unknown(
            "no answer from " + address + ": " + error.getMessage(), error)
        : failure(error);
  }

  /** The tables are not there; the message has what creates them. */
  public EngineException.Refused noTables(SQLException error) {
    return new EngineException.Refused(
        "the tables are missing at "
            + address
            + ": connect with holdfast.create=true as a user who may create them, or run\n"
            + String.join(";\n", tables)
            + ";",
        error);
  }

  /** The tables are missing, and this was in the way of creating them. */
  public EngineException.Refused notCreated(
      EngineException.Refused missing, EngineException.Refused inTheWay) {
    Throwable cause = inTheWay.getCause() == null ? inTheWay : inTheWay.getCause();
    EngineException.Refused both =
        new EngineException.Refused(
            "the tables could not be created (" + cause.getMessage() + "): " + missing.getMessage(),
            missing.getCause());
    both.addSuppressed(inTheWay);
    return both;
  }

  /** The tables are older than we are; the message has what brings them up to date. */
  public EngineException.Refused olderLayout(int found, int known, List<String> changes) {
    return new EngineException.Refused(
        "the tables at "
            + address
            + " have the layout hf"
            + found
            + ", and this version needs hf"
            + known
            + ": connect with holdfast.create=true as a user who may change them, or run\n"
            + String.join(";\n", changes)
            + ";");
  }

  /** The tables are newer than we are. */
  public EngineException.Refused newerLayout(int found, int known) {
    return new EngineException.Refused(
        "the tables at "
            + address
            + " have the layout hf"
            + found
            + ", and this version knows hf"
            + known
            + ": use a newer version of Holdfast");
  }
}
