package io.holdfast.jdbc.table.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.connection.Connector;
import io.holdfast.jdbc.connection.DriverConnector;
import io.holdfast.jdbc.connection.JdbcStore;
import io.holdfast.jdbc.connection.SqlRunner;
import io.holdfast.jdbc.connection.StoreErrors;
import io.holdfast.jdbc.dialect.H2;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.spi.EngineException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The pauses of the sweeper of an idle client")
@Timeout(60)
class IdleSweeperTest {

  private static final String URL = "jdbc:h2:mem:idle-sweeper;DB_CLOSE_DELAY=-1";
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final H2 dialect = new H2();
  private final TableSql sql = new TableSql(dialect, "s_");
  private final AtomicLong clock = new AtomicLong();
  private final Sweeper sweeper = new Sweeper(sql, dialect, clock::get);
  private final Counted connector =
      new Counted(new DriverConnector(URL, "here", dialect, Map.of(), TIMEOUT));
  private final List<Long> pauses = new ArrayList<>();
  private LongConsumer atPause = number -> {};
  private Connection connection;
  private Statement statement;

  private boolean closed;
  private final IdleSweeper idle = new IdleSweeper(store(connector), sweeper);

  /** Runs its steps in place of its thread; its pauses move the clock. */
  private void run() {
    while (!closed) {
      pause(idle.step());
    }
    idle.endWalk();
  }

  private JdbcStore store(Connector over) {
    return new JdbcStore(
        over,
        dialect,
        new StoreErrors(dialect, "here", sql.allTables()),
        TIMEOUT,
        clock::get,
        new LongAdder());
  }

  private void pause(long nanos) {
    pauses.add(Duration.ofNanos(nanos).toMillis());
    clock.addAndGet(nanos);
    atPause.accept(pauses.size());
  }

  private void closeAtPause(int number) {
    atPause =
        now -> {
          if (now == number) {
            closed = true;
          }
        };
  }

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection(URL);
    statement = connection.createStatement();
    for (String create : sql.allTables()) {
      statement.execute(create);
    }
  }

  @AfterEach
  void drop() throws SQLException {
    statement.execute("drop all objects");
    statement.close();
    connection.close();
  }

  @Test
  @DisplayName("the first walk comes a second and the grace after the start; then once a minute")
  void nothingToDo() {
    closeAtPause(3);
    run();
    // Each walk that finds nothing is one step, and the next is due a minute later.
    assertThat(pauses).containsExactly(4_000L, 63_000L, 63_000L);
    assertThat(connector.opened).as("a connection for each walk").hasValue(2);
  }

  @Test
  @DisplayName("with much to remove the steps are 20 ms apart, and with nothing a second")
  void stepsOfAWalk() throws SQLException {
    rows("a", 2_048, "0");
    rows("b", 1_024, dialect.nowMicros());
    rows("c", 10, "0");
    closeAtPause(5);
    run();
    assertThat(pauses).containsExactly(4_000L, 20L, 20L, 1_000L, 63_000L);
    assertThat(sweeper.removed()).isEqualTo(2_058);
    assertThat(count()).isEqualTo(1_024);
    assertThat(connector.opened).as("one connection for the walk").hasValue(1);
  }

  @Test
  @DisplayName("as long as the lanes take the steps, it takes none")
  void busyLanes() throws Exception {
    rows("a", 5, "0");
    Connector other = new DriverConnector(URL, "here", dialect, Map.of(), TIMEOUT);
    try (SqlRunner lane = new SqlRunner(store(other))) {
      atPause =
          number -> {
            // A lane takes the step that is due, a millisecond before the grace is over.
            clock.addAndGet(-Duration.ofMillis(1).toNanos());
            assertThat(sweeper.claimStep()).isTrue();
            sweep(lane);
            clock.addAndGet(Duration.ofMillis(1).toNanos());
            if (number == 4) {
              closed = true;
            }
          };
      run();
    }
    assertThat(sweeper.removed()).isEqualTo(5);
    assertThat(connector.opened).hasValue(0);
  }

  private void sweep(SqlRunner lane) {
    try {
      int ignored = sweeper.sweep(lane);
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @DisplayName("a walk that fails ends, and the next step comes a second and the grace later")
  void failure() {
    connector.fails = true;
    closeAtPause(3);
    run();
    assertThat(pauses).containsExactly(4_000L, 4_000L, 4_000L);
  }

  @Test
  @DisplayName("closing in the middle of a walk ends it after the step")
  void closed() throws SQLException {
    rows("a", 4_096, "0");
    closeAtPause(2);
    run();
    assertThat(count()).isEqualTo(3_072);
  }

  private void rows(String prefix, int many, String micros) throws SQLException {
    statement.execute(
        ("insert into s_lock (ns, name, kind, capacity, generation, counter, lease_us, expires_us,"
                + " joined_us, wanted_us, next_place, touched_us)"
                + " select 'n', concat('%s', lpad(x, 6, '0')), 'm', 1, 0, %s / 64, 0, 0, 0, 0, 0, %s"
                + " from system_range(1, %d)")
            .formatted(prefix, micros, micros, many));
  }

  private int count() throws SQLException {
    try (ResultSet rows = statement.executeQuery("select count(*) from s_lock")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  /** Counts connections, and refuses them on request. */
  private static final class Counted implements Connector {

    private final Connector real;
    private final AtomicInteger opened = new AtomicInteger();
    private volatile boolean fails;

    Counted(Connector real) {
      this.real = real;
    }

    @Override
    public Connection connect() throws SQLException, EngineException.Refused {
      if (fails) {
        throw new SQLException("planted", "08001");
      }
      opened.incrementAndGet();
      return real.connect();
    }

    @Override
    public boolean isCallerSupplied() {
      return false;
    }
  }
}
