package io.holdfast.jdbc.kept;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.jdbc.dialect.PostgreSql;
import io.holdfast.jdbc.wire.Link;
import java.sql.SQLException;
import java.util.List;

/** The one counter that all tokens of a store come from. Stateless. */
public sealed interface Mint permits PgMint, MariaMint, CounterMint {

  /** The largest counter that a token has room for. */
  long MOST = (1L << 46) - 1;

  /** The counter of a database. */
  static Mint of(Dialect dialect, String prefix) {
    String name = prefix + "token";
    if (dialect instanceof PostgreSql) {
      return new PgMint(dialect, name);
    }
    return dialect instanceof MySqlFamily family && family.isMaria()
        ? new MariaMint(dialect, name)
        : new CounterMint(dialect, name);
  }

  /** The statements that create it; they do no harm to one that is there. */
  List<String> creates();

  /** Statements that make it anew if the error says that it is damaged; none if it does not. */
  default List<String> mends(SQLException error) {
    return List.of();
  }

  /** Sees to it that it is not behind the clock, in ticks of 64 us; it never goes back. */
  void raise(Link link) throws SQLException;

  /**
   * Takes numbers that nobody else has and that are higher than all taken before.
   *
   * @return the last of them; the others are just below
   */
  long take(Link link, int count) throws SQLException;

  /** The database's clock in ticks of 64 us. */
  static String ticks(Dialect dialect) {
    return "floor(" + dialect.nowMicros() + " / 64)";
  }
}
