package io.holdfast.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The floor of a database: a row for each name, one statement to take it and one to give it back,
 * over a connection for every thread, up to 32. Who does not get in asks again a little later.
 */
final class RawRowContender implements Contender {

  /**
   * The statements of one kind of database.
   *
   * @param take name, owner, microseconds; answers the owner, which is a rival's if the row is
   *     taken
   * @param drop name, owner
   */
  private record Words(String create, String take, String drop) {}

  private static final Words POSTGRES =
      new Words(
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
  private static final Words MARIADB =
      new Words(
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

  private final Database database;
  private final Duration lease;

  /**
   * A contender over a server that need not be up yet.
   *
   * @param lease after which a lock is free again; nothing renews it
   */
  RawRowContender(Database database, Duration lease) {
    this.database = database;
    this.lease = lease;
  }

  @Override
  public String name() {
    return DatabasePeers.RAW_ROW;
  }

  @Override
  public boolean acrossProcesses() {
    return true;
  }

  @Override
  public Session open(Path folder) throws SQLException {
    Words words = database.isPostgres() ? POSTGRES : MARIADB;
    HikariDataSource pool = DatabasePool.large(database);
    try {
      DatabasePool.create(pool, words.create());
      return new Pooled(pool, words, TimeUnit.MILLISECONDS.toMicros(lease.toMillis()));
    } catch (SQLException | RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private record Pooled(HikariDataSource pool, Words words, long micros) implements Session {

    @Override
    public Caller caller() {
      return new RowCaller(this);
    }

    boolean take(String name, String owner) throws SQLException {
      try (Connection connection = pool.getConnection();
          PreparedStatement statement = connection.prepareStatement(words.take())) {
        statement.setString(1, name);
        statement.setString(2, owner);
        statement.setLong(3, micros);
        try (ResultSet answer = statement.executeQuery()) {
          return answer.next() && owner.equals(answer.getString(1));
        }
      } catch (SQLTransientException e) {
        // A deadlock with another caller, in which this one was chosen to give way.
        return false;
      }
    }

    boolean drop(String name, String owner) throws SQLException {
      try (Connection connection = pool.getConnection();
          PreparedStatement statement = connection.prepareStatement(words.drop())) {
        statement.setString(1, name);
        statement.setString(2, owner);
        return statement.executeUpdate() == 1;
      }
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  private static final class RowCaller implements Caller {
    private final Pooled pooled;
    private final String owner = Long.toHexString(ThreadLocalRandom.current().nextLong());
    private long count;
    private @Nullable String held;

    RowCaller(Pooled pooled) {
      this.pooled = pooled;
    }

    @Override
    public long acquire(String name) throws Exception {
      count++;
      Asking.untilYes(() -> pooled.take(name, value()));
      held = name;
      return NO_TOKEN;
    }

    @Override
    public void release() throws SQLException {
      if (!pooled.drop(Objects.requireNonNull(held), value())) {
        throw new IllegalStateException("it had been lost");
      }
    }

    private String value() {
      return owner + ":" + count;
    }
  }
}
