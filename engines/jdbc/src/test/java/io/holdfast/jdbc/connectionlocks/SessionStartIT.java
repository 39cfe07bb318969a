package io.holdfast.jdbc.connectionlocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.Outcome;
import io.holdfast.rig.servers.PgBouncer;
import io.holdfast.rig.servers.PostgresServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where locks that live on connections can be had, and what is said where not. */
@Timeout(120)
class SessionStartIT {

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static PostgresServer server;

  @BeforeAll
  static void start() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void a_pooler_that_keeps_sessions_together_will_do() throws Exception {
    try (PgBouncer pooler = PgBouncer.start(server, PgBouncer.PoolMode.SESSION);
        Holdfast mine = Holdfast.connect(uri(pooler, "session"));
        Holdfast theirs = Holdfast.connect(uri(pooler, "session"))) {
      Hold hold = mine.lock("a").acquire(WAIT);
      assertThat(theirs.lock("a").tryAcquire()).isEmpty();
      assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
      Hold next = theirs.lock("a").acquire(WAIT);
      assertThat(next.token()).isGreaterThan(hold.token());
      next.release();
    }
  }

  @Test
  void rows_stay_locked_behind_a_pooler_that_gives_sessions_away() throws Exception {
    try (PgBouncer pooler = PgBouncer.start(server, PgBouncer.PoolMode.TRANSACTION);
        Holdfast mine = Holdfast.connect(uri(pooler, "row"));
        Holdfast theirs = Holdfast.connect(uri(pooler, "row"))) {
      Hold hold = mine.lock("a").acquire(WAIT);
      assertThat(theirs.lock("a").tryAcquire()).isEmpty();
      assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
      Hold next = theirs.lock("a").acquire(WAIT);
      assertThat(next.token()).isGreaterThan(hold.token());
      next.release();
    }
  }

  private static String uri(PgBouncer pooler, String mode) {
    return pooler.jdbcUri(PostgresServer.DATABASE, pooler.user())
        + "&holdfast.table=pooled_&holdfast.mode="
        + mode;
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:h2:mem:x?holdfast.mode=session, H2 has no locks of sessions",
    "jdbc:sqlite:x.db?holdfast.mode=session, SQLite has no locks of sessions",
    "jdbc:sqlite:x.db?holdfast.mode=row, SQLite has no locks of rows"
  })
  void databases_that_have_no_such_locks_are_refused(String uri, String words) {
    assertThatThrownBy(() -> Holdfast.connect(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words)
        .hasMessageContaining("holdfast.mode=table");
  }

  @ParameterizedTest
  @CsvSource({
    "session, create sequence if not exists none_token",
    "row, create table if not exists none_row"
  })
  void what_is_missing_is_answered_with_the_statements_that_create_it(String mode, String words) {
    String uri = server.jdbcUri(PostgresServer.DATABASE, server.user());
    try (Holdfast holdfast =
        Holdfast.connect(
            uri + "&holdfast.table=none_&holdfast.create=false&holdfast.mode=" + mode)) {
      assertThatThrownBy(() -> holdfast.lock("a").acquire(WAIT))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining(words)
          .hasMessageContaining("none_meta");
    }
  }
}
