package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.connection.DriverConnector;
import io.holdfast.jdbc.connection.JdbcStore;
import io.holdfast.jdbc.connection.SqlRunner;
import io.holdfast.jdbc.connection.StoreErrors;
import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.H2;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.jdbc.dialect.PostgreSql;
import io.holdfast.jdbc.dialect.Sqlite;
import io.holdfast.jdbc.table.admin.Sweeper;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * U31: the walk through many names that are in use takes no longer at its end than at its
 * beginning, as callers wait for the lane that does a step; and it gets to what is idle there.
 */
@Timeout(300)
class U31WalkIT {

  private static final int NAMES = 100_000;
  private static final int IDLE = 300;
  private static final int SOME = 20;
  private static final long BOUND_MICROS = 5_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @TempDir Path folder;

  @Test
  void on_postgresql() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      walks(
          server.jdbcUri(PostgresServer.DATABASE, server.user()),
          new PostgreSql(),
          "generate_series(1, " + NAMES + ") as numbers (x)");
    }
  }

  @Test
  void on_mariadb() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.createDatabase("app");
      walks(
          server.jdbcUri("app", server.user()),
          MySqlFamily.mariaDb(),
          "(select seq as x from seq_1_to_" + NAMES + ") numbers");
    }
  }

  @Test
  void on_h2() throws Exception {
    walks("jdbc:h2:mem:walk;DB_CLOSE_DELAY=-1", new H2(), "system_range(1, " + NAMES + ")");
  }

  @Test
  void on_sqlite() throws Exception {
    String numbers = "with recursive n(x) as (select 1 union all select x + 1 from n limit %d)";
    walks(
        "jdbc:sqlite:" + folder.resolve("walk.db"),
        new Sqlite(),
        "(" + numbers.formatted(NAMES) + " select x from n)");
  }

  private static void walks(String url, Dialect dialect, String numbers) throws Exception {
    String tables = "w_";
    TableSql sql = new TableSql(dialect, tables);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String create : sql.allTables()) {
        statement.execute(create);
      }
      statement.execute(rows("'b'", dialect.nowMicros(), numbers));
      statement.execute(rows("'c'", "0", numbers) + " where x <= " + IDLE);
      List<Long> steps = walk(url, dialect, sql);
      long first = quickest(steps.subList(0, SOME));
      long last = quickest(steps.subList(steps.size() - SOME, steps.size()));
      System.out.printf(
          "figure: a walk through %,d names on %s: %d steps, quickest of the first %d: %,d us, of the"
              + " last: %,d us (bound %,d us)%n",
          NAMES, dialect.product(), steps.size(), SOME, first, last, BOUND_MICROS);
      assertThat(Math.max(first, last)).isLessThan(5 * BOUND_MICROS);
      try (ResultSet left = statement.executeQuery("select count(*) from w_lock")) {
        left.next();
        assertThat(left.getInt(1)).isEqualTo(NAMES);
      }
    }
  }

  /** Rows of a namespace that were last used at this time. */
  private static String rows(String namespace, String micros, String numbers) {
    return "insert into w_lock (ns, name, kind, capacity, generation, counter, lease_us, expires_us,"
        + " joined_us, wanted_us, next_place, touched_us) select "
        + namespace
        + ", concat('n', x), 'm', 1, 0, "
        + micros
        + " / 64, 0, 0, 0, 0, 0, "
        + micros
        + " from "
        + numbers;
  }

  /** How many microseconds each step took that removed nothing. */
  private static List<Long> walk(String url, Dialect dialect, TableSql sql) throws Exception {
    List<Long> steps = new ArrayList<>();
    JdbcStore store =
        new JdbcStore(
            new DriverConnector(url, "here", dialect, Map.of(), TIMEOUT),
            dialect,
            new StoreErrors(dialect, "here", sql.allTables()),
            TIMEOUT,
            System::nanoTime,
            new LongAdder());
    Sweeper sweeper = new Sweeper(sql, dialect, System::nanoTime);
    try (SqlRunner runner = new SqlRunner(store)) {
      while (sweeper.removed() < IDLE) {
        assertThat(steps).hasSizeLessThan(NAMES);
        long start = System.nanoTime();
        if (sweeper.sweep(runner) == 0) {
          steps.add((System.nanoTime() - start) / 1000);
        }
      }
    }
    return steps;
  }

  /** Of several, as the others had to wait for the machine. */
  private static long quickest(List<Long> steps) {
    return steps.stream().mapToLong(Long::longValue).min().orElseThrow();
  }
}
