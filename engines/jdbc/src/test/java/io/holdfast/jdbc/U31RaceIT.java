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
import io.holdfast.jdbc.table.admin.Sweeper;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.LongRun;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * U31: names are swept at the very moment in which others take, renew and give them back. An hour
 * is made to pass in all rows again and again, held or not, so that every sweep finds them idle but
 * for what must spare them.
 */
@Timeout(120)
class U31RaceIT {

  private static final long NANOS = TimeUnit.SECONDS.toNanos(LongRun.of(4, 20));
  private static final int NAMES = 6;
  private static final int CLIENTS = 4;
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Owner OWNER = new Owner("test", "localhost", 1, "main", "");
  private static final String AN_HOUR_LATER =
      "update holdfast_lock set touched_us = touched_us - 7200000000,"
          + " counter = counter - 112500000 where name = 'n";

  private final AtomicBoolean over = new AtomicBoolean();
  private static final long TICK_MICROS = 64;

  private final Map<String, AtomicInteger> inside = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> tokens = new ConcurrentHashMap<>();

  @Test
  void on_postgresql() throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      spares(server.jdbcUri(PostgresServer.DATABASE, server.user()), new PostgreSql());
    }
  }

  @Test
  void on_mariadb() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.createDatabase("app");
      spares(server.jdbcUri("app", server.user()), MySqlFamily.mariaDb());
    }
  }

  @Test
  void on_h2() throws Exception {
    spares("jdbc:h2:mem:race-" + System.nanoTime() + ";DB_CLOSE_DELAY=-1", new H2());
  }

  private void spares(String url, Dialect dialect) throws Exception {
    try (LockEngine first = Engines.open(url);
        LockEngine second = Engines.open(url);
        SqlRunner runner = new SqlRunner(store(url, dialect));
        Connection connection = DriverManager.getConnection(url);
        Crew crew = new Crew()) {
      for (int i = 0; i < NAMES; i++) {
        inside.put("n" + i, new AtomicInteger());
        tokens.put("n" + i, new AtomicLong());
      }
      use(first.lane(), 0);
      Sweeper sweeper = new Sweeper(new TableSql(dialect, "holdfast_"), dialect, System::nanoTime);
      long end = System.nanoTime() + NANOS;
      int[] rounds = new int[CLIENTS];
      crew.all(
          CLIENTS + 2,
          i -> {
            try {
              if (i == CLIENTS) {
                age(connection);
              } else if (i == CLIENTS + 1) {
                sweep(sweeper, runner);
              } else {
                rounds[i] = use(i % 2 == 0 ? first.lane() : second.lane(), end);
              }
              return i;
            } finally {
              over.set(true);
            }
          });
      int grants = 0;
      for (int each : rounds) {
        assertThat(each).isPositive();
        grants += each;
      }
      System.out.printf(
          "figure: U31 on %s: %,d grants and renewals of %d names beside sweeps, which removed %,d%n",
          dialect.product(), grants, NAMES, sweeper.removed());
      assertThat(sweeper.removed()).as("rows that were removed beside them").isGreaterThan(NAMES);
      nothingIsLeft(connection, sweeper, runner);
    }
  }

  /** Takes, renews and gives back; answers how often. */
  private int use(LockEngine lane, long end) throws Exception {
    int granted = 0;
    try (lane) {
      do {
        int number = ThreadLocalRandom.current().nextInt(NAMES);
        Ticket ticket = ticket(number);
        // Not the last one: the hour that passes in a moment may do so while the attempt waits for
        // the row, and what is left of its token then is the time at which it was sent.
        long before = tokens.get(ticket.resource().name()).get();
        awaitLaterTick(before);
        if (lane.attempt(ticket, () -> {}) instanceof Standing.Granted grant) {
          granted++;
          assertThat(grant.token()).as("%s", ticket.resource()).isGreaterThan(before);
          holds(lane, ticket, grant.token());
        }
      } while (System.nanoTime() - end < 0 && !over.get());
    }
    return granted;
  }

  /**
   * Tokens follow the clock in ticks of 64 us. An hour passes in a moment here, so a row may be
   * removed and made again within one tick, which would repeat its token.
   */
  private static void awaitLaterTick(long token) {
    while (ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) / TICK_MICROS
        <= Token.counter(token)) {
      Thread.onSpinWait();
    }
  }

  private void holds(LockEngine lane, Ticket ticket, long token) throws Exception {
    String name = ticket.resource().name();
    assertThat(inside.get(name).incrementAndGet()).as(name).isEqualTo(1);
    tokens.get(name).set(token);
    assertThat(lane.renew(ticket)).as(name).isInstanceOf(Renewal.Renewed.class);
    assertThat(lane.renew(ticket)).as(name).isInstanceOf(Renewal.Renewed.class);
    inside.get(name).decrementAndGet();
    assertThat(lane.leave(ticket, false)).as(name).isEqualTo(Left.HOLDING);
  }

  private void age(Connection connection) throws Exception {
    for (int i = 0; !over.get(); i++) {
      Db.run(connection, AN_HOUR_LATER + i % NAMES + "'");
    }
  }

  private void sweep(Sweeper sweeper, SqlRunner runner) throws Exception {
    while (!over.get()) {
      int ignored = sweeper.sweep(runner);
    }
  }

  private static void nothingIsLeft(Connection connection, Sweeper sweeper, SqlRunner runner)
      throws Exception {
    for (int i = 0; i < NAMES; i++) {
      Db.run(connection, AN_HOUR_LATER + i + "'");
    }
    int ignored = sweeper.sweep(runner);
    assertThat(Db.number(connection, "select count(*) from holdfast_lock")).isZero();
    assertThat(Db.number(connection, "select count(*) from holdfast_ticket")).isZero();
  }

  private static JdbcStore store(String url, Dialect dialect) {
    TableSql sql = new TableSql(dialect, "holdfast_");
    return new JdbcStore(
        new DriverConnector(url, "here", dialect, Map.of(), TIMEOUT),
        dialect,
        new StoreErrors(dialect, "here", sql.allTables()),
        TIMEOUT,
        System::nanoTime,
        new LongAdder());
  }

  /** A fresh ticket that does not wait; every other name is a line. */
  private static Ticket ticket(int number) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new Ticket(
        new Ticket.Id(random.nextLong(), random.nextLong(), 1),
        new Resource("default", "n" + number),
        Shape.mutex(number % 2 == 0 ? Order.ANY : Order.FIFO),
        1,
        LEASE,
        0,
        false,
        OWNER);
  }
}
