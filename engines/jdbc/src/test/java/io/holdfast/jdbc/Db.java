package io.holdfast.jdbc;

import com.mysql.cj.jdbc.MysqlDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** Data sources without pools, and shorthands for tests. */
public final class Db {

  private Db() {}

  public static DataSource h2(String name) {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
    return source;
  }

  public static DataSource sqlite(String file, SQLiteConfig.JournalMode mode) {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(mode);
    config.setBusyTimeout(20_000);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file);
    return source;
  }

  public static DataSource postgres(String uri) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(uri);
    return source;
  }

  public static DataSource mySql(String uri) {
    MysqlDataSource source = new MysqlDataSource();
    source.setUrl(uri);
    return source;
  }

  public static DataSource mariaDb(String uri) {
    try {
      return new MariaDbDataSource(uri);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A connection in a transaction of this isolation. */
  public static Connection begin(DataSource source, int isolation) throws SQLException {
    Connection connection = source.getConnection();
    connection.setTransactionIsolation(isolation);
    connection.setAutoCommit(false);
    return connection;
  }

  public static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  public static void run(DataSource source, String... statements) throws SQLException {
    try (Connection connection = source.getConnection()) {
      run(connection, statements);
    }
  }

  public static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  public static long number(DataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return number(connection, sql);
    }
  }
}
