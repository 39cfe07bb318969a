package io.holdfast.jdbc.connectionlocks;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.H2;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.jdbc.dialect.PostgreSql;
import io.holdfast.jdbc.dialect.Setting;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The SQL of the mode row, for one kind of database. */
final class RowSql {

  /** How long a waiter that no longer asks is still visible; it asks at least every half second. */
  private static final long SEEN_MICROS = 2_000_000;

  /** The errors of a lock that is not available at once: MariaDB's, MySQL's, H2's. */
  private static final Set<Integer> LOCKED = Set.of(1205, 3572, 50200);

  private static final String PG_LOCKED = "55P03";

  private final Dialect dialect;
  private final String rows;
  private final String wants;
  private final Duration lease;

  /**
   * Creates the statements of a store.
   *
   * @param lease after which the server ends a silent transaction, where it can
   */
  public RowSql(Dialect dialect, String prefix, Duration lease) {
    this.dialect = dialect;
    this.rows = prefix + "row";
    this.wants = prefix + "want";
    this.lease = lease;
  }

  /** Returns the tables, each with the statement that creates it. */
  public Map<String, String> tables() {
    String key =
        "ns " + type(64) + " not null, name " + type(512) + " not null, primary key (ns, name)";
    // Other storage engines have no row locks.
    String engine = dialect instanceof MySqlFamily ? " engine = InnoDB" : "";
    return Map.of(
        rows,
        "create table if not exists " + rows + " (" + key + ")" + engine,
        wants,
        "create table if not exists "
            + wants
            + " (who varchar(32) not null, until_us bigint not null, "
            + key
            + ")"
            + engine);
  }

  private String type(int length) {
    if (dialect instanceof PostgreSql) {
      return "text collate \"C\"";
    }
    String chars = "varchar(" + length + ")";
    if (dialect instanceof MySqlFamily family) {
      String bytes = family.isMaria() ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin";
      return chars + " character set utf8mb4 collate " + bytes;
    }
    return chars;
  }

  /**
   * Inserts the row: namespace, name. Does not wait for a row that another client has inserted and
   * locked meanwhile, but fails or does nothing (MySQL waits for at least a second).
   */
  String insert() {
    if (dialect instanceof H2) {
      // Its merge locks the row that it finds.
      return "insert into " + rows + " (ns, name) values (?, ?)";
    }
    String insert = dialect.insertAbsent(rows, "ns, name", "?, ?");
    return dialect instanceof MySqlFamily family && family.isMaria()
        ? "set statement innodb_lock_wait_timeout = 0 for " + insert
        : insert;
  }

  /**
   * Locks the row, or fails at once: client, namespace, name. Returns the generation that the
   * namespace has seen, the number of other waiting clients, the session and the transaction; no
   * row if there is none.
   */
  String lock(UnaryOperator<String> generation) {
    return "select "
        + generation.apply("r.ns")
        + ", "
        + wanted("r.ns", "r.name")
        + ", "
        + identity()
        + (dialect instanceof PostgreSql
            ? ", set_config('idle_in_transaction_session_timeout', '"
                + lease.toMillis()
                + "', true)"
            : "")
        + " from "
        + rows
        + " r where r.ns = ? and r.name = ? for update nowait";
  }

  /**
   * Checks that the transaction lives: client, namespace, name. Returns the number of other waiting
   * clients, the session and the transaction.
   */
  String probe() {
    return "select " + wanted("?", "?") + ", " + identity();
  }

  /**
   * Checks that the database responds: client, namespace, name. Returns the number of other waiting
   * clients.
   */
  String ask() {
    return "select " + wanted("?", "?");
  }

  /**
   * Returns two columns: the session that replies, and its transaction where the database exposes
   * it. Behind a pooler of PostgreSQL only the transaction identifies ours.
   */
  private String identity() {
    return dialect.sessionName() + ", " + transaction();
  }

  private String transaction() {
    return dialect instanceof PostgreSql ? "pg_current_xact_id()::text" : "''";
  }

  private String wanted(String namespace, String name) {
    return "(select count(*) from "
        + wants
        + " w where w.who <> ? and w.ns = "
        + namespace
        + " and w.name = "
        + name
        + " and w.until_us > "
        + dialect.nowMicros()
        + ")";
  }

  /**
   * Deletes the row that we have locked: session, transaction, namespace, name. In another session
   * the condition is false before any row is read, so it waits for no lock.
   */
  String deleteOwn() {
    return "delete from "
        + rows
        + " where "
        + dialect.sessionName()
        + " = ? and "
        + transaction()
        + " = ? and ns = ? and name = ?";
  }

  /** Deletes the row: namespace, name. */
  String delete() {
    return "delete from " + rows + " where ns = ? and name = ?";
  }

  /** Marks the resource as wanted: client, namespace, name. */
  String want() {
    String until = dialect.nowMicros() + " + " + SEEN_MICROS;
    if (dialect instanceof H2) {
      return "merge into "
          + wants
          + " (who, ns, name, until_us) key (ns, name) values (?, ?, ?, "
          + until
          + ")";
    }
    String insert =
        "insert into " + wants + " (who, ns, name, until_us) values (?, ?, ?, " + until + ")";
    return dialect instanceof PostgreSql
        ? insert
            + " on conflict (ns, name) do update set who = excluded.who,"
            + " until_us = excluded.until_us"
        : insert + " on duplicate key update who = values(who), until_us = values(until_us)";
  }

  /** Removes the mark: client, namespace, name. */
  String unwant() {
    return "delete from " + wants + " where who = ? and ns = ? and name = ?";
  }

  /** Deletes expired marks. */
  String sweepWants() {
    return "delete from " + wants + " where until_us < " + dialect.nowMicros();
  }

  /** Locks some rows without a holder, which dead clients left behind. */
  String freeRows() {
    return "select ns, name from " + rows + " order by ns, name limit 100" + dialect.skipLocked();
  }

  /** Returns whether another client has the row locked. */
  boolean isLocked(SQLException e) {
    return dialect instanceof PostgreSql
        ? PG_LOCKED.equals(e.getSQLState())
        : LOCKED.contains(e.getErrorCode());
  }

  /**
   * Returns the settings of a connection whose locks must end with its client. Its writes are not
   * flushed: a row that reappears or is gone after a crash is not locked.
   */
  List<String> settings() {
    if (dialect instanceof PostgreSql) {
      return List.of("set synchronous_commit = off");
    }
    if (dialect instanceof MySqlFamily family) {
      // In whole seconds, and never less than a lease.
      long seconds = lease.plusMillis(999).toSeconds();
      return List.of("set session " + idle(family) + " = " + seconds);
    }
    return List.of();
  }

  /** Returns the settings that those statements change. */
  List<Setting> changes() {
    if (dialect instanceof PostgreSql) {
      return List.of(PostgreSql.setting("synchronous_commit"));
    }
    return dialect instanceof MySqlFamily family
        ? List.of(MySqlFamily.setting(idle(family)))
        : List.of();
  }

  private static String idle(MySqlFamily family) {
    return family.isMaria() ? "idle_transaction_timeout" : "wait_timeout";
  }
}
