package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.JdbcEngineProvider;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What clients of the mode row leave behind when they die. */
@Timeout(120)
class RowSweepIT {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration LATER = Duration.ofSeconds(61);

  private final AtomicLong ahead = new AtomicLong();

  @ParameterizedTest
  @EnumSource
  @DisplayName("others take it away within a minute, and nothing that is in use")
  void swept(Server.Kind kind) throws Exception {
    try (Server server = kind.start()) {
      swept(server.url(), server.url() + "&");
    }
  }

  @Test
  @DisplayName("the same on H2")
  void sweptOnH2() throws Exception {
    String url = "jdbc:h2:mem:swept;DB_CLOSE_DELAY=-1";
    swept(url, url + "?");
  }

  private void swept(String url, String uri) throws Exception {
    String mode = uri + "holdfast.mode=row";
    try (LockEngine engine = new JdbcEngineProvider().open(mode, settings());
        LockEngine other = new JdbcEngineProvider().open(mode, settings())) {
      Ticket mine = Tickets.mutex("held", LEASE);
      assertThat(engine.attempt(mine, () -> {})).isInstanceOf(Standing.Granted.class);
      Ticket theirs = Tickets.mutex("held by another", LEASE);
      assertThat(other.attempt(theirs, () -> {})).isInstanceOf(Standing.Granted.class);
      run(url, "insert into holdfast_row (ns, name) values ('default', 'dead')");
      run(
          url,
          "insert into holdfast_want (who, until_us, ns, name) values ('dead', 1, 'default', 'w')");
      assertThat(engine.renew(mine)).isInstanceOf(Renewal.Renewed.class);
      assertThat(number(url, "select count(*) from holdfast_row")).isEqualTo(3);
      ahead.addAndGet(LATER.toNanos());
      assertThat(engine.renew(mine)).isInstanceOf(Renewal.Renewed.class);
      assertThat(number(url, "select count(*) from holdfast_row where name = 'dead'")).isZero();
      assertThat(number(url, "select count(*) from holdfast_row")).isEqualTo(2);
      assertThat(number(url, "select count(*) from holdfast_want")).isZero();
      assertThat(engine.leave(mine, false)).isEqualTo(Left.HOLDING);
      assertThat(other.leave(theirs, false)).isEqualTo(Left.HOLDING);
      assertThat(number(url, "select count(*) from holdfast_row")).isZero();
    }
  }

  /** A clock that the test moves. */
  private Settings settings() {
    Settings usual = Tickets.settings(Duration.ofSeconds(2));
    return new Settings(
        LEASE,
        usual.operationTimeout(),
        usual.lanes(),
        () -> System.nanoTime() + ahead.get(),
        usual.epochMicros());
  }

  private static void run(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long number(String url, String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
