package io.holdfast.jdbc.table;

import io.holdfast.jdbc.wire.Link;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.Verb;
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
 * The quick way of databases whose statements take a row of values for each verb. What the rows say
 * is the database's own; they are in the order of the names, and the answer has for each that was
 * written its namespace, its name, whether it was done, the counter, whether it is wanted, and how
 * long it is kept from now on.
 */
public final class RowsQuick implements Quick {

  /** The statements of a database, for so many rows. */
  public interface Texts {

    /**
     * Values of a row: namespace, generation, namespace, name, kind, ticket, generation, lease,
     * lease, owner.
     */
    String attempts(int rows);

    /** Values of a row: namespace, name, ticket, kind, lease. */
    String renewals(int rows);

    /** Values of a row: namespace, name, ticket, kind. */
    String leaves(int rows);
  }

  /** Sets the values of one verb and answers the next index. */
  private interface Values {
    int set(PreparedStatement statement, int at, Ticket ticket) throws SQLException;
  }

  /** What is answered for a verb that was done. */
  private interface Reading {
    Object answer(Ticket ticket, long counter, boolean wanted, Duration validFor);
  }

  private static final Comparator<Resource> BY_NAME =
      Comparator.comparing(Resource::namespace).thenComparing(Resource::name);

  private final Texts texts;

  /** The quick way with these statements. */
  public RowsQuick(Texts texts) {
    this.texts = texts;
  }

  @Override
  public List<Answer> attempts(Link link, List<Verb> attempts) throws SQLException {
    return run(
        link,
        texts::attempts,
        attempts,
        RowsQuick::attempt,
        (ticket, counter, wanted, validFor) ->
            new Standing.Granted(Token.of(ticket.generation(), counter), validFor, wanted));
  }

  @Override
  public List<Answer> renewals(Link link, List<Verb> renewals) throws SQLException {
    return run(
        link,
        texts::renewals,
        renewals,
        (statement, at, ticket) -> {
          int next = key(statement, at, ticket);
          statement.setLong(next, Micros.of(ticket.lease()));
          return next + 1;
        },
        (ticket, counter, wanted, validFor) -> new Renewal.Renewed(validFor, wanted));
  }

  @Override
  public List<Answer> leaves(Link link, List<Verb> leaves) throws SQLException {
    return run(
        link,
        texts::leaves,
        leaves,
        RowsQuick::key,
        (ticket, counter, wanted, validFor) -> Left.HOLDING);
  }

  private static int attempt(PreparedStatement statement, int at, Ticket ticket)
      throws SQLException {
    statement.setString(at, ticket.resource().namespace());
    statement.setInt(at + 1, ticket.generation());
    statement.setString(at + 2, ticket.resource().namespace());
    statement.setString(at + 3, ticket.resource().name());
    statement.setString(at + 4, Letters.of(ticket.shape()));
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
    statement.setString(at + 3, Letters.of(ticket.shape()));
    return at + 4;
  }

  private static List<Answer> run(
      Link link, IntFunction<String> text, List<Verb> verbs, Values values, Reading reading)
      throws SQLException {
    // One row a resource, as that is all that an answer names: others of it go the other way.
    SortedMap<Resource, Verb> asked = new TreeMap<>(BY_NAME);
    verbs.forEach(verb -> asked.putIfAbsent(verb.ticket().resource(), verb));
    PreparedStatement statement = link.prepare(text.apply(asked.size()));
    int at = 1;
    for (Verb verb : asked.values()) {
      at = values.set(statement, at, verb.ticket());
    }
    List<Answer> answers = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        Verb verb = asked.get(new Resource(rows.getString(1), rows.getString(2)));
        if (verb != null && rows.getInt(3) == 1) {
          Duration validFor = Micros.time(rows.getLong(6));
          answers.add(
              Answer.of(
                  verb,
                  reading.answer(verb.ticket(), rows.getLong(4), rows.getInt(5) == 1, validFor)));
        }
      }
    }
    return answers;
  }
}
