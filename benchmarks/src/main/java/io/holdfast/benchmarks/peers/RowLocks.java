package io.holdfast.benchmarks.peers;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.cli.bench.Contender;
import io.holdfast.cli.bench.DatabaseAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.concurrent.TimeUnit;

/**
 * The floor of databases: one statement acquires a row, another one releases it.
 *
 * <p>Over a connection for every thread, up to 32. Waiters poll. Nothing renews the lease.
 */
final class RowLocks {

  /**
   * The statements of one kind of database.
   *
   * @param take name, owner, microseconds; returns the owner, which is a rival's if the row is
   *     taken
   * @param drop name, owner
   */
  private record Statements(String create, String take, String drop) {}

  private static final Statements POSTGRES =
      new Statements(
          """
          create table if not exists bench_raw (
            name varchar(255) primary key, owner varchar(64) not null, expires timestamptz not null)
          """,
          """
          insert into bench_raw as r (name, owner, expires)
          values (?, ?, clock_timestamp() + ? * interval '1 microsecond')
          on conflict (name) do update set owner = excluded.owner, expires = excluded.expires
          where r.expires <= clock_timestamp() returning owner
          """,
          "update bench_raw set expires = '-infinity' where name = ? and owner = ?");

  // Assignments go from left to right: the owner by the old expiry, the expiry by the new owner.
  private static final Statements MARIADB =
      new Statements(
          """
          create table if not exists bench_raw (
            name varchar(255) primary key, owner varchar(64) not null, expires datetime(6) not null)
          """,
          """
          insert into bench_raw (name, owner, expires)
          values (?, ?, utc_timestamp(6) + interval ? microsecond)
          on duplicate key update owner = if(expires <= utc_timestamp(6), values(owner), owner),
            expires = if(owner = values(owner), values(expires), expires)
          returning owner
          """,
          "update bench_raw set expires = '1970-01-01' where name = ? and owner = ?");

  private record Held(String name, String owner) {}

  private final HikariDataSource pool;
  private final Statements statements;
  private final long micros;

  private RowLocks(HikariDataSource pool, Statements statements, long micros) {
    this.pool = pool;
    this.statements = statements;
    this.micros = micros;
  }

  static Contender.Session open(Peer.Target target) throws SQLException {
    DatabaseAddress database = PeerAddresses.database(target.store());
    Statements statements = database.isPostgres() ? POSTGRES : MARIADB;
    HikariDataSource pool = DatabasePool.large(database);
    try {
      DatabasePool.create(pool, statements.create());
      long micros = TimeUnit.MILLISECONDS.toMicros(target.lease().toMillis());
      return new PeerSession(new RowLocks(pool, statements, micros)::caller, pool);
    } catch (SQLException | RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private Contender.Caller caller() {
    SetNxLocks.UniqueValues owners = new SetNxLocks.UniqueValues();
    return new PeerCaller<>(
        name -> {
          Held held = new Held(name, owners.next());
          PollingWait.until(() -> tryTake(held));
          return held;
        },
        this::giveBack);
  }

  private boolean tryTake(Held wanted) throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(statements.take())) {
      statement.setString(1, wanted.name());
      statement.setString(2, wanted.owner());
      statement.setLong(3, micros);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && wanted.owner().equals(row.getString(1));
      }
    } catch (SQLTransientException e) {
      // The database ended a deadlock with another caller at this one's expense.
      return false;
    }
  }

  private void giveBack(Held held) throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(statements.drop())) {
      statement.setString(1, held.name());
      statement.setString(2, held.owner());
      PeerCaller.requireHeld(statement.executeUpdate() == 1);
    }
  }
}
