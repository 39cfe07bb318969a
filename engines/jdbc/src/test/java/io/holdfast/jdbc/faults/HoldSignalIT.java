package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.servers.PgBouncer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holders on PostgreSQL with the usual lease, which is renewed every ten seconds. */
@Timeout(120)
class HoldSignalIT {

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final Duration SOON = Duration.ofMillis(300);

  /** Who takes something away from a holder. */
  private interface Taking {
    void from(Hold hold) throws Exception;
  }

  @Test
  @DisplayName("hear at once of a revocation, an eviction, and a row deleted by hand")
  void told() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        Holdfast holder = Holdfast.connect(uri(server));
        Holdfast operator = Holdfast.connect(uri(server))) {
      EngineInspector inspector = operator.inspector().orElseThrow();
      await(server, holder.lock("first").acquire(WAIT));
      told("revoke", holder.lock("x").acquire(WAIT), h -> inspector.revoke(at(h), h.token(), "r"));
      told("evict", holder.lock("x").acquire(WAIT), h -> inspector.evict(at(h), h.token(), "e"));
      told(
          "delete of a lock",
          holder.lock("x").acquire(WAIT),
          h -> server.sql("delete from holdfast_lock where name = 'x'"));
      told(
          "delete of a permit",
          holder.semaphore("s", 3).acquire(WAIT),
          h -> server.sql("delete from holdfast_ticket where name = 's'"));
      told(
          "truncation of the locks",
          holder.lock("x").acquire(WAIT),
          h -> server.sql("truncate holdfast_lock"));
      told(
          "truncation of the permits",
          holder.semaphore("s", 3).acquire(WAIT),
          h -> server.sql("truncate holdfast_ticket"));
    }
  }

  @Test
  @DisplayName("hear of what is done through a pooler, too")
  void throughPooler() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        PgBouncer pooler = PgBouncer.start(server, PgBouncer.PoolMode.TRANSACTION, 5);
        Holdfast holder = Holdfast.connect(uri(server));
        Holdfast operator =
            Holdfast.connect(pooler.jdbcUri(PostgresServer.DATABASE, pooler.user()))) {
      await(server, holder.lock("first").acquire(WAIT));
      told(
          "evict through a pooler",
          holder.lock("x").acquire(WAIT),
          h -> operator.inspector().orElseThrow().evict(at(h), h.token(), "e"));
    }
  }

  @Test
  @DisplayName("are not told of what Holdfast itself deletes")
  void ownDeletions() throws Exception {
    try (PostgresServer server = PostgresServer.start();
        Holdfast holder = Holdfast.connect(uri(server));
        Holdfast other = Holdfast.connect(uri(server))) {
      await(server, holder.lock("first").acquire(WAIT));
      Hold kept = holder.semaphore("s", 3).acquire(WAIT);
      server.sql("create table told (n integer)");
      server.sql(
          "create or replace function holdfast_tell() returns trigger language plpgsql as"
              + " $$ begin insert into told values (1);"
              + " perform pg_notify('holdfast_held', '|' || old.ns || '/' || old.name);"
              + " return null; end $$");
      for (int i = 0; i < 5; i++) {
        other.semaphore("s", 3).acquire(WAIT).release();
      }
      assertThat(server.sql("select count(*) from told")).isEqualTo("0");
      server.sql("delete from holdfast_ticket where name = 's'");
      assertThat(server.sql("select count(*) from told")).isEqualTo("1");
      Await.until("the loss", WAIT, () -> kept.loss().isPresent());
    }
  }

  private static void told(String how, Hold hold, Taking taking) throws Exception {
    assertThat(hold.isHeld()).isTrue();
    long start = System.nanoTime();
    taking.from(hold);
    Await.until("the loss by " + how, WAIT, () -> hold.loss().isPresent());
    Figure.since(start, SOON, "PostgreSQL, " + how + ": the holder hears (lease 30 s)");
  }

  /** The listener is started by the first grant, and nobody waits for it. */
  private static void await(PostgresServer server, Hold first) {
    String listening =
        "select count(*) from pg_stat_activity where query like 'listen %held%'"
            + " and state = 'idle'";
    Await.until("a listener", WAIT, () -> !server.sql(listening).equals("0"));
    assertThat(first.isHeld()).isTrue();
  }

  private static Resource at(Hold hold) {
    return new Resource(hold.namespace(), hold.name());
  }

  private static String uri(PostgresServer server) {
    return server.jdbcUri(PostgresServer.DATABASE, server.user());
  }
}
