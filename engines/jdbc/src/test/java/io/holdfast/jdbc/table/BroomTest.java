package io.holdfast.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.jdbc.dialect.Sqlite;
import io.holdfast.jdbc.wire.OwnConnector;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.jdbc.wire.Words;
import io.holdfast.spi.EngineException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The broom, while another process writes to the same file")
@Timeout(60)
class BroomTest {

  private static final Duration TIMEOUT = Duration.ofMillis(200);

  @TempDir Path folder;

  private final Sqlite dialect = new Sqlite();
  private final Sql sql = new Sql(dialect, "b_");
  private final AtomicLong clock = new AtomicLong();
  private final Broom broom = new Broom(sql, dialect, clock::get);
  private Connection other;
  private Statement says;
  private Runner runner;

  @BeforeEach
  void open() throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve("broom.db");
    runner =
        new Runner(
            new Runner.Store(
                new OwnConnector(url, "here", dialect, Map.of(), TIMEOUT),
                dialect,
                new Words(dialect, "here", sql.allTables()),
                TIMEOUT,
                System::nanoTime,
                new LongAdder()));
    other = DriverManager.getConnection(url);
    says = other.createStatement();
    try (ResultSet ignored = says.executeQuery("pragma journal_mode = wal")) {
      for (String create : sql.allTables()) {
        says.execute(create);
      }
    }
  }

  @AfterEach
  void close() throws SQLException {
    runner.close();
    says.close();
    other.close();
  }

  @Test
  @DisplayName("keeps nobody out and waits for nobody if there is nothing to remove")
  void nothingIdle() throws Exception {
    row("in use", dialect.nowMicros());
    says.execute("begin immediate");

    assertThat(broom.sweep(runner)).isZero();
    says.execute("rollback");
  }

  @Test
  @DisplayName("gives up on what it may not remove now, and removes it later")
  void idle() throws Exception {
    row("idle", "0");
    says.execute("begin immediate");
    clock.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(broom.isDue()).isTrue();
    assertThatThrownBy(() -> broom.sweep(runner)).isInstanceOf(EngineException.class);
    assertThat(broom.isDue()).isFalse();
    says.execute("rollback");

    clock.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(broom.isDue()).isTrue();
    assertThat(broom.sweep(runner)).isOne();
    assertThat(broom.swept()).isOne();
  }

  /** A name that was last used at this time. */
  private void row(String name, String micros) throws SQLException {
    says.execute(
        ("insert into b_lock (ns, name, kind, capacity, generation, counter, lease_us, expires_us,"
                + " joined_us, wanted_us, next_place, touched_us)"
                + " select 'a', '%s', 'm', 1, 0, %s / 64, 0, 0, 0, 0, 0, %s")
            .formatted(name, micros, micros));
  }
}
