package io.holdfast.jdbc.table.verbs;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.table.layout.Micros;
import io.holdfast.jdbc.table.layout.ShapeCode;
import io.holdfast.jdbc.table.layout.VerbResult;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.OwnerText;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * The fast path of databases whose statements take a row of values for each verb.
 *
 * <p>The statements are the database's own. Their rows are in the order of the names.
 */
abstract sealed class ValueRowsFastPath implements FastPath
    permits H2FastPath, MariaDbFastPath, SqliteFastPath {

  /**
   * A row in which a verb was executed.
   *
   * @param counter of its last token
   */
  record Written(Resource resource, long counter, boolean wanted, Duration validFor) {}

  /** Sets the values of one verb and returns the next index. */
  private interface Values {
    int set(PreparedStatement statement, int at, Ticket ticket) throws SQLException;
  }

  /** Makes the result of a verb that was executed. */
  private interface Reading {
    Object answer(Ticket ticket, Written written);
  }

  private static final Comparator<Resource> BY_NAME =
      Comparator.comparing(Resource::namespace).thenComparing(Resource::name);

  /**
   * Returns the statement of attempts. Values of a row: namespace, generation, namespace, name,
   * kind, ticket, generation, lease, lease, owner.
   */
  abstract String attemptSql(int rows);

  /** Returns the statement of renewals. Values of a row: namespace, name, ticket, kind, lease. */
  abstract String renewSql(int rows);

  /** Returns the statement of leaves. Values of a row: namespace, name, ticket, kind. */
  abstract String leaveSql(int rows);

  /** Prepares a statement. */
  PreparedStatement prepare(JdbcConnection connection, String sql) throws SQLException {
    return connection.prepare(sql);
  }

  /**
   * Runs a statement whose values are set. Its result has for each row that was written the
   * namespace, the name, whether the verb was done, the counter, whether it is wanted, and how long
   * it is kept from now on.
   */
  List<Written> execute(PreparedStatement statement) throws SQLException {
    List<Written> written = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        if (rows.getInt(3) == 1) {
          written.add(
              new Written(
                  new Resource(rows.getString(1), rows.getString(2)),
                  rows.getLong(4),
                  rows.getInt(5) == 1,
                  Micros.time(rows.getLong(6))));
        }
      }
    }
    return written;
  }

  @Override
  public final List<VerbResult> attempts(JdbcConnection connection, List<Verb> attempts)
      throws SQLException {
    return run(
        connection,
        this::attemptSql,
        attempts,
        ValueRowsFastPath::attempt,
        (ticket, written) ->
            new Standing.Granted(
                Token.of(ticket.generation(), written.counter), written.validFor, written.wanted));
  }

  @Override
  public final List<VerbResult> renewals(JdbcConnection connection, List<Verb> renewals)
      throws SQLException {
    return run(
        connection,
        this::renewSql,
        renewals,
        (statement, at, ticket) -> {
          int next = key(statement, at, ticket);
          statement.setLong(next, Micros.of(ticket.lease()));
          return next + 1;
        },
        (ticket, written) -> new Renewal.Renewed(written.validFor, written.wanted));
  }

  @Override
  public final List<VerbResult> leaves(JdbcConnection connection, List<Verb> leaves)
      throws SQLException {
    return run(
        connection,
        this::leaveSql,
        leaves,
        ValueRowsFastPath::key,
        (ticket, written) -> Left.HOLDING);
  }

  private static int attempt(PreparedStatement statement, int at, Ticket ticket)
      throws SQLException {
    statement.setString(at, ticket.resource().namespace());
    statement.setInt(at + 1, ticket.generation());
    statement.setString(at + 2, ticket.resource().namespace());
    statement.setString(at + 3, ticket.resource().name());
    statement.setString(at + 4, ShapeCode.of(ticket.shape()));
    statement.setString(at + 5, ticket.id().encoded());
    statement.setInt(at + 6, ticket.generation());
    statement.setLong(at + 7, Micros.of(ticket.lease()));
    statement.setLong(at + 8, Micros.of(ticket.lease()));
    statement.setString(at + 9, OwnerText.write(ticket.owner()));
    return at + 10;
  }

  private static int key(PreparedStatement statement, int at, Ticket ticket) throws SQLException {
    statement.setString(at, ticket.resource().namespace());
    statement.setString(at + 1, ticket.resource().name());
    statement.setString(at + 2, ticket.id().encoded());
    statement.setString(at + 3, ShapeCode.of(ticket.shape()));
    return at + 4;
  }

  private List<VerbResult> run(
      JdbcConnection connection,
      IntFunction<String> text,
      List<Verb> verbs,
      Values values,
      Reading reading)
      throws SQLException {
    // One verb per resource, as a result row names only that: others take the transaction path.
    SortedMap<Resource, Verb> asked = new TreeMap<>(BY_NAME);
    verbs.forEach(verb -> asked.putIfAbsent(verb.ticket().resource(), verb));
    PreparedStatement statement = prepare(connection, text.apply(asked.size()));
    int at = 1;
    for (Verb verb : asked.values()) {
      at = values.set(statement, at, verb.ticket());
    }
    List<VerbResult> answers = new ArrayList<>();
    for (Written written : execute(statement)) {
      Verb verb = asked.get(written.resource);
      if (verb != null) {
        answers.add(VerbResult.of(verb, reading.answer(verb.ticket(), written)));
      }
    }
    return answers;
  }
}
