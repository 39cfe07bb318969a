package io.holdfast.jdbc.faults;

import io.holdfast.Hold;
import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.guard.SqlFenceGuard;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** Data that only the newest holder may write. */
final class Guarded {

  private final String url;

  Guarded(String url) {
    this.url = url;
  }

  /** Makes the tables. */
  void create() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      guard().createTable(connection);
      statement.execute("create table account (writer varchar(60) not null)");
      statement.execute("insert into account values ('nobody')");
    }
  }

  /** Writes as a holder, in one transaction with the claim; answers whether the guard let it. */
  boolean write(Hold hold) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      connection.setAutoCommit(false);
      try {
        guard().claim(connection, hold);
        try (PreparedStatement update =
            connection.prepareStatement("update account set writer = ?")) {
          update.setString(1, hold.id());
          update.executeUpdate();
        }
        connection.commit();
        return true;
      } catch (StaleTokenException e) {
        connection.rollback();
        return false;
      }
    }
  }

  private SqlFenceGuard guard() {
    return SqlFenceGuard.over(new Plain(url));
  }
}
