package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.dialect.Dialect;
import io.holdfast.jdbc.dialect.H2;
import io.holdfast.jdbc.dialect.MySqlFamily;
import io.holdfast.jdbc.dialect.PostgreSql;
import io.holdfast.jdbc.table.Broom;
import io.holdfast.jdbc.table.Sql;
import io.holdfast.jdbc.wire.OwnConnector;
import io.holdfast.jdbc.wire.Runner;
import io.holdfast.jdbc.wire.Words;
import io.holdfast.rig.LongRun;
import io.holdfast.rig.MariaDbServer;
import io.holdfast.rig.PostgresServer;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
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
        Runner runner = new Runner(store(url, dialect));
        Connection connection = DriverManager.getConnection(url);
        Crew crew = new Crew()) {
      for (int i = 0; i < NAMES; i++) {
        inside.put("n" + i, new AtomicInteger());
        tokens.put("n" + i, new AtomicLong());
      }
      use(first.lane(), 0);
      Broom broom = new Broom(new Sql(dialect, "holdfast_"), dialect, System::nanoTime);
      long end = System.nanoTime() + NANOS;
      int[] rounds = new int[CLIENTS];
      crew.all(
          CLIENTS + 2,
          i -> {
            try {
              if (i == CLIENTS) {
                age(connection);
              } else if (i == CLIENTS + 1) {
                sweep(broom, runner);
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
          dialect.product(), grants, NAMES, broom.swept());
      assertThat(broom.swept()).as("rows that were removed beside them").isGreaterThan(NAMES);
      nothingIsLeft(connection, broom, runner);
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
        if (lane.attempt(ticket, () -> {}) instanceof Standing.Granted grant) {
          granted++;
          assertThat(grant.token()).as("%s", ticket.resource()).isGreaterThan(before);
          holds(lane, ticket, grant.token());
        }
      } while (System.nanoTime() - end < 0 && !over.get());
    }
    return granted;
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

  private void sweep(Broom broom, Runner runner) throws Exception {
    while (!over.get()) {
      int ignored = broom.sweep(runner);
    }
  }

  private static void nothingIsLeft(Connection connection, Broom broom, Runner runner)
      throws Exception {
    for (int i = 0; i < NAMES; i++) {
      Db.run(connection, AN_HOUR_LATER + i + "'");
    }
    int ignored = broom.sweep(runner);
    assertThat(Db.number(connection, "select count(*) from holdfast_lock")).isZero();
    assertThat(Db.number(connection, "select count(*) from holdfast_ticket")).isZero();
  }

  private static Runner.Store store(String url, Dialect dialect) {
    Sql sql = new Sql(dialect, "holdfast_");
    return new Runner.Store(
        new OwnConnector(url, "here", dialect, Map.of(), TIMEOUT),
        dialect,
        new Words(dialect, "here", sql.allTables()),
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
