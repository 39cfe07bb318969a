package io.holdfast.jdbc.table;

import io.holdfast.jdbc.wire.Link;
import io.holdfast.spi.Verb;
import java.sql.SQLException;
import java.util.List;

/**
 * What most verbs need, in one statement for all of a kind that is committed by itself: resources
 * without an order whose row says at once that it may be done. It answers only for those; the
 * others are left as they were, and go to the {@link Ledger}.
 */
public interface Quick {

  /** The attempts that are in now, whether anew or still. */
  List<Answer> attempts(Link link, List<Verb> attempts) throws SQLException;

  /** The renewals of those that are in. */
  List<Answer> renewals(Link link, List<Verb> renewals) throws SQLException;

  /** The leaves of those that were in, none of them in doubt. */
  List<Answer> leaves(Link link, List<Verb> leaves) throws SQLException;
}
