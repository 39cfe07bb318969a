package io.holdfast.jdbc.connection;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.ErrorKind;
import io.holdfast.spi.EngineException;
import java.sql.SQLException;
import java.util.List;

/** Maps SQL errors to engine exceptions: what happened, at which store, and what to do. */
public final class StoreErrors {

  private final Dialect dialect;
  private final String address;
  private final List<String> tables;

  /**
   * Creates the error mapping of a store.
   *
   * @param address without secrets
   * @param tables the statements that create its tables
   */
  public StoreErrors(Dialect dialect, String address, List<String> tables) {
    this.dialect = dialect;
    this.address = address;
    this.tables = tables;
  }

  /** Returns the store's address, without secrets. */
  public String address() {
    return address;
  }

  /** Returns the failure of something that was surely not executed. */
  public EngineException failure(SQLException error) {
    String said = address + ": " + error.getMessage();
    return switch (dialect.errorKind(error)) {
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
              "the database is read-only: connect to the primary, at " + said, error);
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

  /** Returns the failure of something that was sent and got no reply. */
  public EngineException doubt(SQLException error) {
    return dialect.errorKind(error) == ErrorKind.LOST
        ? new EngineException.Unknown("no reply from " + address + ": " + error.getMessage(), error)
        : failure(error);
  }

  /** Returns the refusal of missing tables, with the statements that create them. */
  public EngineException.Refused noTables(SQLException error) {
    return new EngineException.Refused(
        "the tables are missing at "
            + address
            + ": connect with holdfast.create=true as a user who may create them, or run\n"
            + String.join(";\n", tables)
            + ";",
        error);
  }

  /** Returns the refusal of missing tables after creating them has failed. */
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

  /**
   * Returns the refusal of tables older than this client, with the statements that migrate them.
   */
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

  /** Returns the refusal of tables newer than this client. */
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
