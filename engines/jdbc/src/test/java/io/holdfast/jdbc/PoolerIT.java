package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.Await;
import io.holdfast.rig.PgBouncer;
import io.holdfast.rig.PostgresServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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
}
