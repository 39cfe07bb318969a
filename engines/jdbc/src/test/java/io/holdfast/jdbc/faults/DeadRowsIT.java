package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.rig.time.LongRun;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.LineView;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables that are full of rows which nobody uses any more. */
@Timeout(900)
class DeadRowsIT {

  /** A million where the figure is wanted: {@code -Ddead.rows=1000000}. */
  private static final int ROWS = Integer.getInteger("dead.rows", LongRun.of(10_000, 50_000));

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final Duration SWEEPING = Duration.ofSeconds(800);

  /** The other tests of faults leave MySQL out; its plans and its driver are not MariaDB's. */
  private enum Kind {
    POSTGRESQL,
    MARIADB,
    MYSQL;

    Database start() {
      return switch (this) {
        case POSTGRESQL -> Database.of(this, Server.Kind.POSTGRESQL.start());
        case MARIADB -> Database.of(this, Server.Kind.MARIADB.start());
        case MYSQL -> {
          assumeTrue(MySqlServer.isAvailable(), MySqlServer.MISSING);
          yield Database.of(MySqlServer.start());
        }
      };
    }

    private String now() {
      return this == POSTGRESQL
          ? "(extract(epoch from now()) * 1000000)::bigint"
          : "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))";
    }

    /** A table of the numbers from 1 on, in the column i. */
    private String numbers() {
      return switch (this) {
        case POSTGRESQL -> "generate_series(1, " + ROWS + ") i";
        case MARIADB -> "(select seq i from seq_1_to_" + ROWS + ") n";
        case MYSQL ->
            "(with recursive n (i) as (select 1 union all select i + 1 from n where i < "
                + ROWS
                + ") select i from n) n";
      };
    }
  }

  /** A database that was started. */
  private record Database(Kind kind, String url, Runnable closer) implements AutoCloseable {

    static Database of(Kind kind, Server server) {
      return new Database(kind, server.url(), server::close);
    }

    static Database of(MySqlServer server) {
      server.createDatabase("app");
      return new Database(Kind.MYSQL, server.jdbcUri("app", server.user()), server::close);
    }

    /** Makes rows of locks that were last used at this time and are free. */
    void fill(String touched) throws SQLException {
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        if (kind == Kind.MYSQL) {
          statement.execute("set session cte_max_recursion_depth = " + ROWS);
        }
        statement.execute(
            "insert into holdfast_lock (ns, name, kind, capacity, generation, counter, lease_us,"
                + " expires_us, joined_us, wanted_us, next_place, touched_us)"
                + " select 'default', concat('dead/', i), 'm', 1, 0, 0, 0, 0, 0, 0, 0, "
                + touched
                + " from "
                + kind.numbers());
      }
    }

    long dead() throws SQLException {
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement();
          ResultSet rows =
              statement.executeQuery(
                  "select count(*) from holdfast_lock where name like 'dead%'")) {
        rows.next();
        return rows.getLong(1);
      }
    }

    @Override
    public void close() {
      closer.run();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a client that is idle removes them")
  void swept(Kind kind) throws Exception {
    try (Database database = kind.start()) {
      try (Holdfast first = Holdfast.connect(database.url())) {
        first.lock("tables").acquire(WAIT).release();
      }
      database.fill("0");
      try (Holdfast client = Holdfast.connect(database.url())) {
        client.lock("first").acquire(WAIT).release();
        Await.until("the first step", WAIT, () -> removed(client) > 0);
        long start = System.nanoTime();
        long before = removed(client);
        Progress progress = new Progress(client, database);
        Await.until("no dead rows", SWEEPING, progress::isOver);
        long millis = (progress.changedAt - start) / 1_000_000;
        Figure.print(
            "%s: %,d dead rows removed by an idle client in %,d ms, %,d a second",
            kind, progress.removed - before, millis, (progress.removed - before) * 1000L / millis);
      }
      assertThat(database.dead()).isZero();
    }
  }

  /**
   * How many were removed. A step whose commit had no reply in time is not counted, although it may
   * have removed its rows: so when the count stands still, the table is counted.
   */
  private static final class Progress {

    private static final long STILL_NANOS = Duration.ofSeconds(10).toNanos();

    private final Holdfast client;
    private final Database database;
    private long removed;
    private long changedAt = System.nanoTime();
    private long countedAt = changedAt;

    Progress(Holdfast client, Database database) {
      this.client = client;
      this.database = database;
    }

    boolean isOver() throws SQLException {
      long now = System.nanoTime();
      long count = removed(client);
      if (count != removed) {
        removed = count;
        changedAt = now;
        countedAt = now;
      } else if (now - countedAt > STILL_NANOS) {
        countedAt = now;
        return database.dead() == 0;
      }
      return removed >= ROWS;
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("what is held among them is listed, and so is what has a prefix that few have")
  void listed(Kind kind) throws Exception {
    try (Database database = kind.start();
        Holdfast client = Holdfast.connect(database.url());
        Hold low = client.lock("dead/").acquire(WAIT);
        Hold high = client.lock("zzz").acquire(WAIT)) {
      // Used a moment ago, so nobody sweeps them.
      database.fill(kind.now());
      EngineInspector inspector = client.inspector().orElseThrow();
      long start = System.nanoTime();
      List<LineView> all = inspector.list("default", "", "", 100);
      long listed = System.nanoTime();
      List<LineView> some = inspector.list("default", "dead/", "", 100);
      long prefixed = System.nanoTime();
      List<LineView> none = inspector.list("default", "dead/77", "", 100);
      Figure.print(
          "%s: all of %,d dead rows listed in %,d ms, with a prefix of all in %,d ms, of few in"
              + " %,d ms",
          kind,
          ROWS,
          (listed - start) / 1_000_000,
          (prefixed - listed) / 1_000_000,
          (System.nanoTime() - prefixed) / 1_000_000);
      assertThat(all).extracting(line -> line.resource().name()).containsExactly("dead/", "zzz");
      assertThat(some).extracting(line -> line.resource().name()).containsExactly("dead/");
      assertThat(none).isEmpty();
      assertThat(low.isHeld() && high.isHeld()).isTrue();
    }
  }

  private static long removed(Holdfast client) {
    return client.health().counters().get("rows.removed");
  }
}
