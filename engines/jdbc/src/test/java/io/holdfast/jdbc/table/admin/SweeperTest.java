package io.holdfast.jdbc.table.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.jdbc.connection.Connector;
import io.holdfast.jdbc.connection.DriverConnector;
import io.holdfast.jdbc.connection.JdbcStore;
import io.holdfast.jdbc.connection.SqlRunner;
import io.holdfast.jdbc.connection.StoreErrors;
import io.holdfast.jdbc.dialect.Sqlite;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.spi.EngineException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
class SweeperTest {

  private static final Duration TIMEOUT = Duration.ofMillis(200);

  @TempDir Path folder;

  private final Sqlite dialect = new Sqlite();
  private final TableSql sql = new TableSql(dialect, "b_");
  private final AtomicLong clock = new AtomicLong();
  private final Sweeper sweeper = new Sweeper(sql, dialect, clock::get);
  private Connection other;
  private Statement says;
  private SqlRunner runner;
  private String beforeTransaction = "";

  @BeforeEach
  void open() throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve("broom.db");
    runner =
        new SqlRunner(
            new JdbcStore(
                new Interrupted(new DriverConnector(url, "here", dialect, Map.of(), TIMEOUT)),
                dialect,
                new StoreErrors(dialect, "here", sql.allTables()),
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

    assertThat(sweeper.sweep(runner)).isZero();
    says.execute("rollback");
  }

  @Test
  @DisplayName("gives up on what it may not remove now, and removes it later")
  void idle() throws Exception {
    row("idle", "0");
    says.execute("begin immediate");
    clock.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(sweeper.claimStep()).isTrue();
    assertThatThrownBy(() -> sweeper.sweep(runner)).isInstanceOf(EngineException.class);
    assertThat(sweeper.claimStep()).isFalse();
    says.execute("rollback");

    clock.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(sweeper.claimStep()).isTrue();
    assertThat(sweeper.sweep(runner)).isOne();
    assertThat(sweeper.removed()).isOne();
  }

  @Test
  @DisplayName("spares what was used between its look and its lock")
  void usedMeanwhile() throws Exception {
    row("idle", "0");
    row("used", "0");
    assertThat(runner.connect().isBroken()).isFalse();
    beforeTransaction =
        "update b_lock set touched_us = %s where name = 'used'".formatted(dialect.nowMicros());

    assertThat(sweeper.sweep(runner)).isOne();
    assertThat(names()).containsExactly("used");
    assertThat(sweeper.removed()).isOne();
  }

  @Test
  @DisplayName("counts what it removed, and not what it wanted to")
  void counts() throws Exception {
    row("idle", "0");
    row("stays", "0");
    says.execute(
        "create trigger stays before delete on b_lock when old.name = 'stays'"
            + " begin select raise(ignore); end");

    assertThat(sweeper.sweep(runner)).isOne();
    assertThat(names()).containsExactly("stays");
    assertThat(sweeper.removed()).isOne();
  }

  private List<String> names() throws SQLException {
    List<String> names = new ArrayList<>();
    try (ResultSet rows = says.executeQuery("select name from b_lock order by name")) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  /** Connections that let another process in before they begin a transaction. */
  private final class Interrupted implements Connector {

    private final Connector connector;

    Interrupted(Connector connector) {
      this.connector = connector;
    }

    @Override
    public Connection connect() throws SQLException, EngineException.Refused {
      Connection real = connector.connect();
      return (Connection)
          Proxy.newProxyInstance(
              Connection.class.getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("createStatement") && !beforeTransaction.isEmpty()) {
                  String once = beforeTransaction;
                  beforeTransaction = "";
                  says.execute(once);
                }
                try {
                  return method.invoke(real, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    @Override
    public boolean isCallerSupplied() {
      return connector.isCallerSupplied();
    }
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
