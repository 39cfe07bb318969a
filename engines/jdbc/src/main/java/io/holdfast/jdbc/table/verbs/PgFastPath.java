package io.holdfast.jdbc.table.verbs;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.table.layout.LeaseEnd;
import io.holdfast.jdbc.table.layout.Micros;
import io.holdfast.jdbc.table.layout.ShapeCode;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.jdbc.table.layout.VerbResult;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
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
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The fast path on PostgreSQL. Rows are locked in name order. Rows that another client has locked
 * are skipped: their verbs take the transaction path, which waits for them.
 */
final class PgFastPath implements FastPath {

  /*
   * A row that another transaction changes while the statement waits or runs is seen in its newest
   * version by the locking select and by the update, which check their conditions on it; everything
   * that decides is in that one row. The generation is in another table as well, where an old value
   * may be read; that of the last grant is in the row, so its tokens never go back.
   *
   * The time is read once, when the statement has begun: after the verb was sent, so a lease
   * counted from it does not end too early, and before any lock, so a lease that has ended by it
   * has really ended.
   *
   * No two of these statements wait for each other. A statement that changes rows has locked them
   * first and waits for none. A statement that inserts rows may have to wait for others that insert
   * or change the same ones: so it changes none itself, and inserts in name order. Rows that are
   * missing next to changed rows are inserted by a second statement.
   *
   * A leave is confirmed before it is on the disk. A database that crashes may lose it, and then
   * the lock is held until its lease ends: no rival gets in early. A later grant commits after the
   * leave in the same log and waits for the disk, so no grant survives whose leave is lost. Grants
   * and renewals always wait for the disk.
   */

  private static final String LOCKED =
      """
      locked as materialized (
        select a.*, l.wanted_us
          from asked a join {lock} l on l.ns = a.ns and l.name = a.name
         order by l.ns, l.name for update of l skip locked)""";

  /** The end that the holder may rely on: see {@link LeaseEnd}. */
  private static final String BELIEVED = "least(l.expires_us, clock.now + l.lease_us)";

  private static final String ATTEMPT =
      """
      with clock as materialized (select {now} as now),
      asked as materialized (
        select * from unnest(?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[],
            ?::text[], ?::int[]) as a (i, ns, name, ticket, kind, lease, owner, generation)
         where coalesce((select m.generation from {meta} m where m.ns = a.ns), 0) = a.generation),
      {locked},
      kept as (
        update {lock} l set
            counter = case when l.ticket = a.ticket and l.expires_us > clock.now
              then l.counter else greatest(l.counter + 1, clock.now / 64) end,
            joined_us = case when l.ticket = a.ticket and l.expires_us > clock.now
              then l.joined_us else clock.now end,
            ticket = a.ticket, kind = a.kind, capacity = 1, generation = a.generation,
            lease_us = case when l.ticket = a.ticket and l.expires_us > clock.now
              and {believed} > clock.now + a.lease then l.lease_us else a.lease end,
            expires_us = case when l.ticket = a.ticket and l.expires_us > clock.now
              then greatest({believed}, clock.now + a.lease) else clock.now + a.lease end,
            owner = a.owner, revoked = null,
            wanted_us = case when l.wanted = a.ticket then 0 else l.wanted_us end,
            touched_us = clock.now
          from clock, locked a
         where l.ns = a.ns and l.name = a.name and l.gone is null
           and l.generation <= a.generation and l.kind in ('-', 'm', 'o', 'd')
           and (l.wanted_us <= clock.now or l.kind = a.kind)
           and (l.ticket is null or l.expires_us <= clock.now
             or l.ticket = a.ticket and l.kind = a.kind and l.revoked is null)
        returning a.i, l.counter, l.wanted_us > clock.now as wanted,
            l.expires_us - clock.now as valid),
      added as (
        insert into {lock} (ns, name, kind, capacity, ticket, generation, counter, lease_us,
            expires_us, joined_us, owner, wanted_us, next_place, touched_us)
        select a.ns, a.name, a.kind, 1, a.ticket, a.generation, clock.now / 64, a.lease,
            clock.now + a.lease, clock.now, a.owner, 0, 0, clock.now
          from clock, asked a
         where not exists (select 1 from kept)
           and (select count(*) from locked) < (select count(*) from asked)
           and not exists (select 1 from {lock} l where l.ns = a.ns and l.name = a.name)
         order by a.ns collate "C", a.name collate "C"
        on conflict do nothing
        returning ns, name, counter)
      select i, counter, wanted, valid from kept
      union all
      select a.i, n.counter, false, a.lease
        from added n join asked a on a.ns = n.ns and a.name = n.name
      union all
      select a.i, null, false, 0 from asked a
       where exists (select 1 from kept)
         and (select count(*) from locked) < (select count(*) from asked)
         and not exists (select 1 from {lock} l where l.ns = a.ns and l.name = a.name)""";

  private static final String RENEW =
      """
      with clock as materialized (select {now} as now),
      asked as materialized (
        select * from unnest(?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[])
            as a (i, ns, name, ticket, kind, lease)),
      {locked}
      update {lock} l set expires_us = greatest({believed}, clock.now + a.lease),
          lease_us = case when {believed} > clock.now + a.lease then l.lease_us else a.lease end
        from clock, locked a
       where l.ns = a.ns and l.name = a.name and l.ticket = a.ticket and l.kind = a.kind
         and l.expires_us > clock.now and l.revoked is null
      returning a.i, l.wanted_us > clock.now, l.expires_us - clock.now""";

  private static final String LEAVE =
      """
      with clock as materialized (
        select {now} as now, set_config('synchronous_commit', 'off', true)),
      asked as materialized (
        select * from unnest(?::int[], ?::text[], ?::text[], ?::text[], ?::text[])
            as a (i, ns, name, ticket, kind)),
      {locked},
      gone as (
        update {lock} l set ticket = null, expires_us = 0, revoked = null, wanted_us = 0,
            wanted = '', touched_us = clock.now
          from clock, locked a
         where l.ns = a.ns and l.name = a.name and l.ticket = a.ticket and l.kind = a.kind
           and l.expires_us > clock.now
        returning a.i, l.ns, l.name, a.wanted_us > clock.now as wanted)
      select g.i{notified} from gone g""";

  private static final String NOTIFIED =
      """
      , case when g.wanted then pg_notify('{channel}', '|' || g.ns || '/' || g.name)::text end""";

  private final String attempt;
  private final String renew;
  private final String leave;

  /**
   * Creates the fast path on these tables.
   *
   * @param signals whether waiters are notified
   */
  PgFastPath(TableSql sql, boolean signals) {
    this.attempt = sql.fill(ATTEMPT.replace("{locked}", LOCKED).replace("{believed}", BELIEVED));
    this.renew = sql.fill(RENEW.replace("{locked}", LOCKED).replace("{believed}", BELIEVED));
    this.leave =
        sql.fill(LEAVE.replace("{locked}", LOCKED).replace("{notified}", signals ? NOTIFIED : ""));
  }

  @Override
  public List<VerbResult> attempts(JdbcConnection connection, List<Verb> attempts)
      throws SQLException {
    List<VerbResult> answers = new ArrayList<>();
    List<Verb> missing = attempts(connection, attempts, answers);
    if (missing.isEmpty()) {
      return answers;
    }
    List<VerbResult> made = new ArrayList<>();
    try {
      // Rows that exist by now take the transaction path.
      List<Verb> unused = attempts(connection, missing, made);
    } catch (SQLException e) {
      // The first grants are committed and stay valid. The transaction path reports what is wrong.
      return answers;
    }
    answers.addAll(made);
    return answers;
  }

  /**
   * Returns the verbs whose rows are missing and were not inserted, because others were changed.
   */
  private List<Verb> attempts(
      JdbcConnection connection, List<Verb> attempts, List<VerbResult> answers)
      throws SQLException {
    PreparedStatement statement = keys(connection, attempt, attempts);
    leases(statement, attempts);
    strings(statement, 7, attempts, ticket -> OwnerText.write(ticket.owner()));
    Object[] generations = attempts.stream().map(verb -> verb.ticket().generation()).toArray();
    statement.setArray(8, statement.getConnection().createArrayOf("int4", generations));
    List<Verb> missing = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        Verb verb = attempts.get(rows.getInt(1));
        long counter = rows.getLong(2);
        if (rows.wasNull()) {
          missing.add(verb);
        } else {
          long token = Token.of(verb.ticket().generation(), counter);
          boolean wanted = rows.getBoolean(3);
          Duration validFor = Micros.time(rows.getLong(4));
          answers.add(VerbResult.of(verb, new Standing.Granted(token, validFor, wanted)));
        }
      }
    }
    return missing;
  }

  @Override
  public List<VerbResult> renewals(JdbcConnection connection, List<Verb> renewals)
      throws SQLException {
    PreparedStatement statement = keys(connection, renew, renewals);
    leases(statement, renewals);
    List<VerbResult> answers = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        Verb verb = renewals.get(rows.getInt(1));
        boolean wanted = rows.getBoolean(2);
        Duration validFor = Micros.time(rows.getLong(3));
        answers.add(VerbResult.of(verb, new Renewal.Renewed(validFor, wanted)));
      }
    }
    return answers;
  }

  @Override
  public List<VerbResult> leaves(JdbcConnection connection, List<Verb> leaves) throws SQLException {
    PreparedStatement statement = keys(connection, leave, leaves);
    List<VerbResult> answers = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        answers.add(VerbResult.of(leaves.get(rows.getInt(1)), Left.HOLDING));
      }
    }
    return answers;
  }

  private static PreparedStatement keys(JdbcConnection connection, String sql, List<Verb> verbs)
      throws SQLException {
    PreparedStatement statement = connection.prepare(sql);
    Integer[] numbers = new Integer[verbs.size()];
    Arrays.setAll(numbers, i -> i);
    statement.setArray(1, statement.getConnection().createArrayOf("int4", numbers));
    strings(statement, 2, verbs, ticket -> ticket.resource().namespace());
    strings(statement, 3, verbs, ticket -> ticket.resource().name());
    strings(statement, 4, verbs, ticket -> ticket.id().encoded());
    strings(statement, 5, verbs, ticket -> ShapeCode.of(ticket.shape()));
    return statement;
  }

  private static void leases(PreparedStatement statement, List<Verb> verbs) throws SQLException {
    Object[] leases = verbs.stream().map(verb -> Micros.of(verb.ticket().lease())).toArray();
    statement.setArray(6, statement.getConnection().createArrayOf("int8", leases));
  }

  private static void strings(
      PreparedStatement statement, int at, List<Verb> verbs, Function<Ticket, String> part)
      throws SQLException {
    Object[] all = verbs.stream().map(verb -> part.apply(verb.ticket())).toArray();
    statement.setArray(at, statement.getConnection().createArrayOf("text", all));
  }
}
