package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiters on PostgreSQL, whatever the tables are called. */
@Timeout(120)
class ChannelNamesIT {

  private static final Duration LEASE = Duration.ofSeconds(60);
  private static final int WAIT_SECONDS = 10;
  private static final Duration WAIT = Duration.ofSeconds(WAIT_SECONDS);

  /** The longest that the options take. */
  private static final String SCHEMA = "s".repeat(40);

  private static final List<String> PREFIXES =
      List.of("locks_", "Locks_", SCHEMA + "." + "p".repeat(39) + "_");

  @Test
  @DisplayName("are told by whoever leaves, with upper case and with long names too")
  void areTold() throws Exception {
    try (Server server = Server.Kind.POSTGRESQL.start()) {
      server.run("create schema " + SCHEMA);
      for (String prefix : PREFIXES) {
        JdbcOptions options = JdbcOptions.of(server.url()).withPrefix(prefix);
        for (Order order : Order.values()) {
          try (LockEngine holder = JdbcEngine.open(options, Tickets.settings(WAIT));
              LockEngine waiter = JdbcEngine.open(options, Tickets.settings(WAIT))) {
            isTold(holder, waiter, order);
          }
        }
      }
    }
  }

  private static void isTold(LockEngine holder, LockEngine waiter, Order order) throws Exception {
    Ticket held = Tickets.mutex("told " + order, LEASE).withShape(Shape.mutex(order));
    Ticket waits = Tickets.mutex("told " + order, LEASE).withShape(Shape.mutex(order));
    holder.attempt(held, () -> {});
    Semaphore woken = new Semaphore(0);
    assertThat(waiter.attempt(waits, woken::release)).isInstanceOf(Standing.Waiting.class);
    // The first wake says that it listens from now on.
    assertThat(woken.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)).as("listens").isTrue();

    assertThat(holder.leave(held, false)).isEqualTo(Left.HOLDING);
    assertThat(woken.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS)).as("was told").isTrue();
    assertThat(waiter.attempt(waits, woken::release)).isInstanceOf(Standing.Granted.class);
    waiter.leave(waits, false);
  }
}
