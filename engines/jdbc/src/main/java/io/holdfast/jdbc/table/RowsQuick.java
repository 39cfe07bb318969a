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
 * is the database's own; they are in the order of the names.
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

    /** The statement of a text. */
    default PreparedStatement prepare(Link link, String text) throws SQLException {
      return link.prepare(text);
    }

    /**
     * Runs a statement whose values are set. Its answer has for each row that was written the
     * namespace, the name, whether the verb was done, the counter, whether it is wanted, and how
     * long it is kept from now on.
     */
    default List<Written> run(PreparedStatement statement) throws SQLException {
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
  }

  /**
   * A row in which a verb was done.
   *
   * @param counter of its last token
   */
  public record Written(Resource resource, long counter, boolean wanted, Duration validFor) {}

  /** Sets the values of one verb and answers the next index. */
  private interface Values {
    int set(PreparedStatement statement, int at, Ticket ticket) throws SQLException;
  }

  /** What is answered for a verb that was done. */
  private interface Reading {
    Object answer(Ticket ticket, Written written);
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
        (ticket, written) ->
            new Standing.Granted(
                Token.of(ticket.generation(), written.counter), written.validFor, written.wanted));
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
        (ticket, written) -> new Renewal.Renewed(written.validFor, written.wanted));
  }

  @Override
  public List<Answer> leaves(Link link, List<Verb> leaves) throws SQLException {
    return run(link, texts::leaves, leaves, RowsQuick::key, (ticket, written) -> Left.HOLDING);
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

  private List<Answer> run(
      Link link, IntFunction<String> text, List<Verb> verbs, Values values, Reading reading)
      throws SQLException {
    // One row a resource, as that is all that an answer names: others of it go the other way.
    SortedMap<Resource, Verb> asked = new TreeMap<>(BY_NAME);
    verbs.forEach(verb -> asked.putIfAbsent(verb.ticket().resource(), verb));
    PreparedStatement statement = texts.prepare(link, text.apply(asked.size()));
    int at = 1;
    for (Verb verb : asked.values()) {
      at = values.set(statement, at, verb.ticket());
    }
    List<Answer> answers = new ArrayList<>();
    for (Written written : texts.run(statement)) {
      Verb verb = asked.get(written.resource);
      if (verb != null) {
        answers.add(Answer.of(verb, reading.answer(verb.ticket(), written)));
      }
    }
    return answers;
  }
}
