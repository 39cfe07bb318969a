package io.holdfast.benchmarks;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/** The ids of all connections of a database server but the one that asks. */
record DatabaseClients(Database database) implements Supplier<Set<String>> {

  private static final String POSTGRES =
      "select pid from pg_stat_activity"
          + " where backend_type = 'client backend' and pid <> pg_backend_pid()";
  private static final String MARIADB =
      "select id from information_schema.processlist"
          + " where id <> connection_id() and command <> 'Daemon'";

  @Override
  public Set<String> get() {
    try (Connection connection = DriverManager.getConnection(database.url());
        Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(database.isPostgres() ? POSTGRES : MARIADB)) {
      Set<String> ids = new HashSet<>();
      while (answer.next()) {
        ids.add(answer.getString(1));
      }
      return ids;
    } catch (SQLException e) {
      throw new IllegalStateException("the connections at " + database + " cannot be counted", e);
    }
  }
}
