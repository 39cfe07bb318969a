package io.holdfast.cli.commands.doctor;

import io.holdfast.jdbc.JdbcOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** Checks a database over its own connection: version, durability, role, clock. */
final class DatabaseChecks {

  private final Checkup rounds;
  private final Connection connection;

  private DatabaseChecks(Checkup rounds, Connection connection) {
    this.rounds = rounds;
    this.connection = connection;
  }

  static void look(Checkup rounds, String uri) {
    JdbcOptions options = JdbcOptions.of(uri);
    Properties login = new Properties();
    if (!options.user().isEmpty()) {
      login.setProperty("user", options.user());
      login.setProperty("password", options.password());
    }
    try (Connection connection = DriverManager.getConnection(options.url(), login)) {
      DatabaseChecks checks = new DatabaseChecks(rounds, connection);
      checks.version();
      checks.look(options);
    } catch (Exception e) {
      // Drivers quote addresses, with all that is in them: the class and the state must do.
      String state = e instanceof SQLException sql ? " " + sql.getSQLState() : "";
      rounds.say(
          Finding.warn(
              "database",
              "cannot be checked: " + e.getClass().getSimpleName() + state,
              "check whether the user may open another connection and read settings"));
    }
  }

  private void version() throws SQLException {
    rounds.say(
        Finding.good(
            "version",
            connection.getMetaData().getDatabaseProductName()
                + " "
                + connection.getMetaData().getDatabaseProductVersion()));
  }

  private void look(JdbcOptions options) throws Exception {
    switch (options.database()) {
      case POSTGRESQL -> postgres();
      case MARIADB, MYSQL -> mariaDb();
      case SQLITE -> SqliteChecks.look(rounds, options.url(), text("pragma journal_mode"));
      case H2 -> rounds.say(Finding.note("durability", "H2 writes late: a crash may undo a grant"));
    }
  }

  private void postgres() throws Exception {
    say(
        "role",
        text("select pg_is_in_recovery()").equals("f"),
        "a primary",
        "a standby",
        "name the primary");
    durability("fsync", text("show fsync"), "on");
    String commit = text("show synchronous_commit");
    say(
        "durability",
        !commit.equals("off"),
        "synchronous_commit is " + commit,
        "synchronous_commit is off: a crash may undo grants",
        "set synchronous_commit to on for this user");
    ClockCheck.look(
        rounds,
        "the server's clock",
        () -> Double.parseDouble(text("select extract(epoch from clock_timestamp()) * 1000")));
  }

  private void mariaDb() throws Exception {
    say(
        "role",
        text("select @@read_only").equals("0"),
        "takes writes",
        "is read only",
        "name the primary");
    durability(
        "innodb_flush_log_at_trx_commit", text("select @@innodb_flush_log_at_trx_commit"), "1");
    ClockCheck.look(
        rounds,
        "the server's clock",
        () -> Double.parseDouble(text("select unix_timestamp(now(6)) * 1000")));
  }

  private void durability(String setting, String value, String wanted) {
    say(
        "durability",
        value.equals(wanted),
        setting + " is " + value,
        setting + " is " + value + ": a crash may undo grants",
        "set it to " + wanted);
  }

  private void say(String subject, boolean well, String good, String bad, String fix) {
    rounds.say(well ? Finding.good(subject, good) : Finding.warn(subject, bad, fix));
  }

  private String text(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "";
    }
  }
}
