package io.holdfast.ids.internal;

import io.holdfast.ids.IdBlock;
import io.holdfast.ids.IdFacts;
import io.holdfast.ids.Ids;
import io.holdfast.ids.IdsUnavailableException;
import io.holdfast.ids.LongIds;
import io.holdfast.ids.Supply;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** A generator over a database's own sequence; see {@link Ids#sequence}. */
final class SequenceIds implements LongIds {

  /** The SQL state for a missing row, here the row with start and step. */
  private static final String NO_PLAN = "02000";

  private static final Set<String> MISSING = Set.of("42P01", "42S02", "90036", NO_PLAN);
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,39}");

  private final DataSource source;
  private final String name;
  private final long start;
  private final int step;
  private final LastCallStatus last = new LastCallStatus();
  private volatile boolean agreed;
  private volatile boolean closed;

  SequenceIds(DataSource source, String name, long start, int step) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a sequence must match " + NAME.pattern() + ": name=" + name);
    }
    if (start < 0 || step < 1) {
      throw new IllegalArgumentException(
          "start must be >= 0 and step >= 1: start=" + start + " step=" + step);
    }
    this.source = source;
    this.name = name;
    this.start = start;
    this.step = step;
  }

  /** The supported databases. */
  private enum Product {
    POSTGRESQL,
    MARIADB,
    MYSQL,
    H2,
    SQLITE;

    static Product of(Connection connection) throws SQLException {
      String name = connection.getMetaData().getDatabaseProductName().toUpperCase(Locale.ROOT);
      // MySQL's driver calls both of them MySQL; the version is the server's own.
      if (name.contains("MYSQL")
          && connection.getMetaData().getDatabaseProductVersion().contains("MariaDB")) {
        return MARIADB;
      }
      for (Product product : values()) {
        if (name.contains(product.name())) {
          return product;
        }
      }
      throw new IllegalArgumentException(
          "sequences are not supported for "
              + name
              + "; supported are PostgreSQL, MariaDB, MySQL, H2 and SQLite");
    }

    boolean hasSequences() {
      return this != MYSQL && this != SQLITE;
    }
  }

  @Override
  public long next() {
    if (closed) {
      throw new IdsUnavailableException("the generator of ids \"" + name + "\" is closed", null);
    }
    return last.of(this::ask);
  }

  private long ask() {
    try (Connection connection = source.getConnection()) {
      Product product = Product.of(connection);
      boolean own = connection.getAutoCommit();
      if (!own) {
        throw new IllegalArgumentException(
            "the data source of the sequence \""
                + name
                + "\" has connections that are not in autocommit mode: use a data source that is not"
                + " transaction-aware, or a rollback gives out the same id again");
      }
      return checked(number(connection, product));
    } catch (SQLException e) {
      throw new IdsUnavailableException(
          "no id from the sequence \"" + name + "\": " + e.getMessage(), e);
    }
  }

  /** Creates the sequence only if it is missing: the right to create may be missing too. */
  private long number(Connection connection, Product product) throws SQLException {
    try {
      return known(connection, product);
    } catch (SQLException e) {
      if (!isMissing(e)) {
        throw e;
      }
    }
    SQLException refused = null;
    try {
      create(connection, product);
    } catch (SQLException e) {
      // Two clients may create it at the same time; the next call shows whether it exists.
      refused = e;
    }
    try {
      return known(connection, product);
    } catch (SQLException e) {
      throw refused == null || !isMissing(e) ? e : refused;
    }
  }

  private long known(Connection connection, Product product) throws SQLException {
    if (product.hasSequences()) {
      return nextValue(connection, product);
    }
    if (!agreed) {
      agree(connection);
      agreed = true;
    }
    return row(connection);
  }

  /** PostgreSQL, the SQL standard (MariaDB, MySQL), H2, and SQLite, which has no code for it. */
  private static boolean isMissing(SQLException e) {
    return MISSING.contains(String.valueOf(e.getSQLState()))
        || String.valueOf(e.getMessage()).contains("no such table");
  }

  private void create(Connection connection, Product product) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          switch (product) {
            case POSTGRESQL, MARIADB, H2 ->
                "create sequence if not exists "
                    + name
                    + " start with "
                    + start
                    + " increment by "
                    + step
                    + (start == 0 ? " minvalue 0" : "");
            case MYSQL ->
                "create table if not exists " + name + " (id bigint auto_increment primary key)";
            case SQLITE ->
                "create table if not exists " + name + " (id integer primary key autoincrement)";
          });
    }
    if (!product.hasSequences()) {
      plan(connection, product);
    }
  }

  private void plan(Connection connection, Product product) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "create table if not exists "
              + name
              + "_plan (one integer primary key, first bigint not null, step integer not null)");
      statement.executeUpdate(
          (product == Product.SQLITE ? "insert or ignore into " : "insert ignore into ")
              + name
              + "_plan (one, first, step) values (1, "
              + start
              + ", "
              + step
              + ")");
    }
  }

  /**
   * Checks start and step, which are kept in a second table: two generators that count the same
   * rows in different ways would make the same number.
   */
  private void agree(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select first, step from " + name + "_plan")) {
      if (!rows.next()) {
        throw new SQLException("no start and step of the sequence \"" + name + "\"", NO_PLAN);
      }
      if (rows.getLong(1) != start || rows.getInt(2) != step) {
        throw new IllegalStateException(
            "the sequence \""
                + name
                + "\" was created with another start or step: "
                + (rows.getLong(1) + " + n x " + rows.getInt(2))
                + ", and was requested as "
                + (start + " + n x " + step)
                + "; use its start and step, or another name");
      }
    }
  }

  private long nextValue(Connection connection, Product product) throws SQLException {
    String sql =
        product == Product.POSTGRESQL
            ? "select nextval('" + name + "')"
            : "select next value for " + name;
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  /** Inserts a row for each id and deletes it; neither database reuses the number. */
  private long row(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "insert into " + name + " (id) values (null)", Statement.RETURN_GENERATED_KEYS);
      long row;
      try (ResultSet keys = statement.getGeneratedKeys()) {
        keys.next();
        row = keys.getLong(1);
      }
      statement.executeUpdate("delete from " + name + " where id = " + row);
      return Math.addExact(start, Math.multiplyExact(row - 1, step));
    }
  }

  /** Rejects an id of a sequence with another start or step: it belongs to another database. */
  private long checked(long id) {
    if (id < start || (id - start) % step != 0) {
      throw new IllegalStateException(
          "the sequence \""
              + name
              + "\" returned "
              + id
              + ", which is not one of "
              + start
              + " + n x "
              + step
              + ": it was created with another start or step; use those, or another name");
    }
    return id;
  }

  @Override
  public IdBlock block(int count) {
    throw new UnsupportedOperationException(
        "ids of a sequence do not follow each other: use segment() for blocks");
  }

  @Override
  public IdFacts describe(long id) {
    return CounterIds.facts(id);
  }

  @Override
  public Supply supply() {
    String what = "the sequence \"" + name + "\"";
    return closed ? SupplyStates.closed(what) : last.supply(what);
  }

  @Override
  public void close() {
    closed = true;
  }
}
