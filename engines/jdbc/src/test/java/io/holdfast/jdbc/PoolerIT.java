package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.rig.process.Ports;
import io.holdfast.rig.servers.PgBouncer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.PostgresServerOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Order;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Behind a pooler that gives every transaction another session. */
@Timeout(120)
class PoolerIT {

  private static final Duration WAIT = Duration.ofSeconds(20);

  @Test
  void locks_exclude_and_waiters_poll_and_nothing_is_left_in_sessions() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        PgBouncer pooler = PgBouncer.start(server, PgBouncer.PoolMode.TRANSACTION)) {
      String url = pooler.jdbcUri(PostgresServer.DATABASE, pooler.user());
      try (Holdfast mine = Holdfast.connect(url);
          Holdfast theirs = Holdfast.connect(url)) {
        for (int i = 0; i < 20; i++) {
          mine.lock("warm/" + i).acquire(WAIT).release();
        }
        Hold hold = mine.lock("a").acquire(WAIT);
        assertThat(theirs.lock("a").tryAcquire()).isEmpty();
        CompletableFuture<Hold> waits = theirs.lock("a").acquireAsync(WAIT);
        Await.until(
            "a warning that nobody is signalled",
            Duration.ofSeconds(10),
            () -> theirs.health().toString().contains("pooler"));
        hold.release();
        Hold next = waits.get();
        assertThat(next.token()).isGreaterThan(hold.token());
        next.release();
      }
      assertThat(pooler.sql(PostgresServer.DATABASE, "show lock_timeout").strip()).isEqualTo("0");
    }
  }

  @Test
  void another_isolation_of_the_server_is_left_to_the_others() throws Exception {
    PostgresServerOptions options =
        PostgresServerOptions.PLAIN.with("default_transaction_isolation", "repeatable read");
    try (PostgresServer server = PostgresServer.start(options);
        PgBouncer pooler = PgBouncer.start(server, PgBouncer.PoolMode.TRANSACTION)) {
      String url = pooler.jdbcUri(PostgresServer.DATABASE, pooler.user());
      try (Holdfast mine = Holdfast.connect(url);
          Holdfast theirs = Holdfast.connect(url)) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
          Holdfast view = (i % 2 == 0 ? mine : theirs).with(o -> o.withOrder(Order.FIFO));
          all.add(view.lock("line/" + i % 5).acquireAsync(WAIT).thenAccept(Hold::release));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
      }
      assertThat(pooler.sql(PostgresServer.DATABASE, "show default_transaction_isolation").strip())
          .isEqualTo("repeatable read");
    }
  }

  @Test
  void signals_are_promised_where_they_can_be_heard_and_not_behind_a_pooler() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        PgBouncer pooler = PgBouncer.start(server, PgBouncer.PoolMode.TRANSACTION)) {
      try (Holdfast direct =
              Holdfast.connect(server.jdbcUri(PostgresServer.DATABASE, server.user()));
          Holdfast pooled =
              Holdfast.connect(pooler.jdbcUri(PostgresServer.DATABASE, pooler.user()))) {
        assertThat(direct.require(Guarantee.SIGNALS)).isSameAs(direct);
        assertThat(pooled.guarantees()).contains(Guarantee.FIFO).doesNotContain(Guarantee.SIGNALS);
        assertThatThrownBy(() -> pooled.require(Guarantee.SIGNALS))
            .isInstanceOf(LockRefusedException.class)
            .hasMessageContaining("SIGNALS");
        assertThat(pooled.health().warnings()).anyMatch(warning -> warning.contains("pooler"));
        assertThat(direct.health().warnings()).isEmpty();
        pooled.lock("a").acquire(WAIT).release();
      }
    }
  }

  @Test
  void the_connection_that_is_opened_ahead_is_the_first_lanes_or_ends_with_the_client()
      throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      String url = server.jdbcUri(PostgresServer.DATABASE, server.user()) + "&holdfast.lanes=1";
      String sessions = "select count(*) from pg_stat_activity where application_name = 'holdfast'";
      try (Holdfast unused = Holdfast.connect(url)) {
        assertThat(unused.guarantees()).contains(Guarantee.SIGNALS);
        assertThat(server.sql(sessions)).isEqualTo("1");
      }
      Await.until("the end of it", WAIT, () -> server.sql(sessions).equals("0"));
      try (Holdfast used = Holdfast.connect(url)) {
        Hold hold = used.lock("a").acquire(WAIT);
        // A client that holds something listens too, and renews once when it begins to listen: over
        // a
        // connection of its own each.
        Await.until("lane, listener, reserved lane", WAIT, () -> server.sql(sessions).equals("3"));
        hold.release();
      }
      Await.until("the end of all", WAIT, () -> server.sql(sessions).equals("0"));
    }
  }

  @Test
  void a_database_that_is_down_is_believed_to_signal() {
    String url = "jdbc:postgresql://127.0.0.1:" + Ports.free() + "/app?user=u";
    try (Holdfast holdfast = Holdfast.connect(url)) {
      assertThat(holdfast.guarantees()).contains(Guarantee.SIGNALS);
    }
  }
}
