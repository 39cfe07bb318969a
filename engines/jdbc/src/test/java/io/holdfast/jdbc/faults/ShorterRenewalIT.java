package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A renewal with a shorter lease")
@Timeout(120)
class ShorterRenewalIT {

  private static final Duration LEASE = Duration.ofSeconds(60);
  private static final Duration SHORTER = Duration.ofSeconds(2);
  private static final Duration LONGER = Duration.ofSeconds(90);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  @DisplayName("does not bring the end of the lease nearer")
  void leavesTheEnd(Server.Kind kind) throws Exception {
    try (Server server = kind.start()) {
      leavesTheEnd(server.url());
    }
  }

  @Test
  @DisplayName("does not on H2")
  void leavesTheEndOnH2() throws Exception {
    leavesTheEnd("jdbc:h2:mem:shorter;DB_CLOSE_DELAY=-1");
  }

  @Test
  @DisplayName("does not on SQLite")
  void leavesTheEndOnSqlite() throws Exception {
    leavesTheEnd("jdbc:sqlite:" + folder.resolve("shorter.db"));
  }

  private static void leavesTheEnd(String url) throws Exception {
    try (LockEngine engine =
            JdbcEngine.open(JdbcOptions.of(url), Tickets.settings(Duration.ofSeconds(2)));
        Connection connection = DriverManager.getConnection(url)) {
      for (Order order : Order.values()) {
        String table = order == Order.ANY ? "holdfast_lock" : "holdfast_ticket";
        Ticket ticket = Tickets.mutex("r " + order, LEASE).withShape(Shape.mutex(order));
        leavesTheEnd(
            engine,
            ticket,
            connection,
            "select expires_us from " + table + " where name = 'r " + order + "'");
      }
    }
  }

  private static void leavesTheEnd(
      LockEngine engine, Ticket ticket, Connection connection, String query) throws Exception {
    Standing.Granted first = (Standing.Granted) engine.attempt(ticket, () -> {});
    assertThat(first.validFor()).isEqualTo(LEASE);
    long end = number(connection, query);

    assertThat(left(engine.renew(ticket.withLease(SHORTER)))).isBetween(LEASE.dividedBy(2), LEASE);
    assertThat(number(connection, query)).isEqualTo(end);
    Standing.Granted again = (Standing.Granted) engine.attempt(ticket.withLease(SHORTER), () -> {});
    assertThat(again.validFor()).isBetween(LEASE.dividedBy(2), LEASE);
    assertThat(again.token()).isEqualTo(first.token());
    assertThat(number(connection, query)).isEqualTo(end);

    assertThat(left(engine.renew(ticket.withLease(LONGER)))).isEqualTo(LONGER);
    assertThat(number(connection, query)).isGreaterThan(end);
    engine.leave(ticket, false);
    // What the last one was promised is nothing to the next.
    Ticket next = Tickets.mutex(ticket.resource().name(), SHORTER).withShape(ticket.shape());
    Standing.Granted ofNext = (Standing.Granted) engine.attempt(next, () -> {});
    assertThat(ofNext.validFor()).isEqualTo(SHORTER);
    engine.leave(next, false);
  }

  private static Duration left(Renewal renewal) {
    return ((Renewal.Renewed) renewal).validFor();
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
