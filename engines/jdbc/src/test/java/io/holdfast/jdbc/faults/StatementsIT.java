package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What mutexes without an order cost where they are free, and what blocks of numbers do. */
@Timeout(120)
class StatementsIT {

  private static final Duration LEASE = Duration.ofSeconds(60);
  private static final String QUERY = "executeQuery";

  /** On PostgreSQL: each transaction that writes takes a number, and this one too. */
  private static final String TRANSACTIONS = "select txid_current()";

  /** On MariaDB, with this one. */
  private static final String QUESTIONS =
      "select variable_value from information_schema.global_status"
          + " where variable_name = 'questions'";

  @TempDir Path folder;

  @Test
  @DisplayName("on PostgreSQL each verb and each batch is one statement and one transaction")
  void onPostgres() throws Exception {
    try (Server server = Server.Kind.POSTGRESQL.start()) {
      costs(server.url(), QUERY, TRANSACTIONS);
    }
  }

  @Test
  @DisplayName("on MariaDB each verb and each batch is one statement, and so one trip")
  void onMariaDb() throws Exception {
    try (Server server = Server.Kind.MARIADB.start()) {
      costs(server.url(), QUERY, QUESTIONS);
    }
  }

  @Test
  @DisplayName("on SQLite each verb and each batch is one statement")
  void onSqlite() throws Exception {
    costs("jdbc:sqlite:" + folder.resolve("count.db"), QUERY, "");
  }

  @Test
  @DisplayName("on H2 each verb and each batch is one statement, and so one trip to a server")
  void onH2() throws Exception {
    try (H2Server server = H2Server.start()) {
      // Its count is to be read anew each time, and not as it was at the last look.
      costs(
          server.url("count") + ";QUERY_STATISTICS=TRUE;OPTIMIZE_REUSE_RESULTS=FALSE",
          "executeUpdate",
          "select sum(execution_count) from information_schema.query_statistics");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("on PostgreSQL and MariaDB a block of numbers is one statement, and so one trip")
  void blocks(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Connection watching = DriverManager.getConnection(server.url())) {
      Counted source = new Counted(new Plain(server.url()));
      Settings settings = Tickets.settings(Duration.ofSeconds(10));
      String done = kind == Server.Kind.POSTGRESQL ? TRANSACTIONS : QUESTIONS;
      for (boolean clocked : new boolean[] {false, true}) {
        Counter.Ask ask =
            new Counter.Ask(new Resource("default", "by clock " + clocked), 10, 1, clocked);
        try (LockEngine engine =
            JdbcEngine.over(source.source(), JdbcOptions.of(server.url()), settings)) {
          Counter counter = engine.counter().orElseThrow();
          long last = counter.take(ask);
          int before = source.calls().size();
          long first = number(watching, done);
          assertThat(counter.take(ask)).isGreaterThanOrEqualTo(last + 10);
          assertThat(number(watching, done) - first).as("with the look itself").isEqualTo(2);
          assertThat(source.calls().subList(before, source.calls().size()))
              .isEqualTo(List.of(QUERY));
        }
      }
    }
  }

  /**
   * Each verb alone, and as a batch, is one statement.
   *
   * @param call how it is run
   * @param done counts what the server did, itself included; empty: it does not count
   */
  private static void costs(String url, String call, String done) throws Exception {
    Counted source = new Counted(new Plain(url));
    Settings usual = Tickets.settings(Duration.ofSeconds(10));
    // Its clock stands still, so that nothing is due beside what is asked for.
    Settings settings =
        new Settings(usual.lease(), usual.operationTimeout(), 1, () -> 0, usual.epochMicros());
    try (LockEngine engine = JdbcEngine.over(source.source(), JdbcOptions.of(url), settings);
        Connection watching = DriverManager.getConnection(url)) {
      Look look = () -> done.isEmpty() ? 0 : number(watching, done);
      List<Ticket> tickets =
          IntStream.range(0, 16).mapToObj(i -> Tickets.mutex("n" + i, LEASE)).toList();
      for (List<Ticket> some : List.of(tickets.subList(0, 1), tickets)) {
        engine.perform(verbs(some, ticket -> new Verb.Attempt(ticket, () -> {}, new Told<>())));
        engine.perform(verbs(some, ticket -> new Verb.Leave(ticket, false, new Told<>())));
        Cost cost = new Cost(engine, source, look, call);
        cost.isOne(verbs(some, ticket -> new Verb.Attempt(ticket, () -> {}, new Told<>())));
        cost.isOne(verbs(some, ticket -> new Verb.Renew(ticket, new Told<>())));
        cost.isOne(verbs(some, ticket -> new Verb.Leave(ticket, false, new Told<>())));
      }
    }
  }

  /** What the server has done so far. */
  private interface Look {
    long count() throws SQLException;
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static List<Verb> verbs(List<Ticket> tickets, Function<Ticket, Verb> verb) {
    return tickets.stream().map(verb).toList();
  }

  /** What batches cost, as the client and the server count it. */
  private record Cost(LockEngine engine, Counted source, Look look, String call) {

    void isOne(List<Verb> batch) throws SQLException {
      int before = source.calls().size();
      long first = look.count();
      engine.perform(batch);
      long last = look.count();
      assertThat(batch).allMatch(Verb::isComplete);
      assertThat(source.calls().subList(before, source.calls().size()))
          .as("%s", batch.get(0))
          .containsExactly(call);
      if (first > 0) {
        assertThat(last - first).as("by the server, with the look itself").isEqualTo(2);
      }
    }
  }

  /** Nobody minds the answer. */
  private record Told<T>() implements Verb.Answer<T> {

    @Override
    public void answered(T answer) {}

    @Override
    public void failed(EngineException failure) {
      throw new AssertionError(failure);
    }
  }
}
