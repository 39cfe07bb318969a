package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcEngineProvider;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The mode row over a driver that goes on in another session without a word. */
@Timeout(120)
class RowSessionIT {

  /** Long enough for a busy machine to open a connection. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final String MODE = "holdfast.mode=row";

  /** A database of any kind that has the mode. */
  private record Database(String url, AutoCloseable process) implements AutoCloseable {

    static Database start(String kind) throws Exception {
      if (kind.equals("H2")) {
        H2Server server = H2Server.start();
        return new Database(server.url("rows"), server);
      }
      if (kind.equals("MYSQL")) {
        assumeTrue(MySqlServer.isAvailable(), MySqlServer.MISSING);
        MySqlServer server = MySqlServer.start();
        server.createDatabase("app");
        return new Database(server.jdbcUri("app", server.user()), server);
      }
      Server server = Server.Kind.valueOf(kind).start();
      return new Database(server.url(), server);
    }

    String uri() {
      return url + (url.contains("?") ? "&" : "?") + MODE;
    }

    @Override
    public void close() throws Exception {
      process.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POSTGRESQL", "MARIADB", "MYSQL", "H2"})
  @DisplayName("a renewal that another session answers is none, and the rival stays alone")
  void renewal(String kind) throws Exception {
    try (Database database = Database.start(kind);
        Swapped source = new Swapped(database.url());
        LockEngine engine = over(source, database);
        LockEngine rival = open(database)) {
      Ticket mine = granted(engine, "x");
      source.swap();
      source.endOthers();
      granted(rival, "x");
      assertThat(engine.renew(mine)).isEqualTo(new Renewal.Gone(Renewal.Cause.SESSION_OVER, ""));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POSTGRESQL", "MARIADB", "MYSQL", "H2"})
  @DisplayName("a row that was locked in another session than the transaction began in is not held")
  void grant(String kind) throws Exception {
    try (Database database = Database.start(kind);
        Swapped source = new Swapped(database.url());
        LockEngine engine = over(source, database);
        LockEngine rival = open(database)) {
      source.swapAt("for update nowait");
      assertThatThrownBy(() -> engine.attempt(Tickets.mutex("x", LEASE), () -> {}))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("another session replied");
      granted(rival, "x");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POSTGRESQL", "MARIADB", "MYSQL", "H2"})
  @DisplayName("a leave that another session answers takes nothing away from the rival")
  void leave(String kind) throws Exception {
    try (Database database = Database.start(kind);
        Swapped source = new Swapped(database.url());
        LockEngine engine = over(source, database);
        LockEngine rival = open(database);
        LockEngine third = open(database)) {
      Ticket mine = granted(engine, "x");
      source.swap();
      source.endOthers();
      Ticket theirs = granted(rival, "x");
      assertThat(engine.leave(mine, false)).isEqualTo(Left.NOTHING);
      assertThat(third.attempt(Tickets.mutex("x", LEASE), () -> {}))
          .isInstanceOf(Standing.Waiting.class);
      assertThat(rival.leave(theirs, false)).isEqualTo(Left.HOLDING);
    }
  }

  private static LockEngine over(Swapped source, Database database) {
    return JdbcEngine.over(
        source.source(), JdbcOptions.of(database.uri()), Tickets.settings(PATIENCE));
  }

  private static LockEngine open(Database database) {
    return new JdbcEngineProvider().open(database.uri(), Tickets.settings(PATIENCE));
  }

  private static Ticket granted(LockEngine engine, String name) throws EngineException {
    Ticket ticket = Tickets.mutex(name, LEASE);
    assertThat(engine.attempt(ticket, () -> {})).isInstanceOf(Standing.Granted.class);
    return ticket;
  }
}
