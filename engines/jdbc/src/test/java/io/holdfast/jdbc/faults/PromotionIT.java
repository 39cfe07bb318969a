package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.servers.PostgresPair;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A standby that takes over without the last commits, and servers that only read. */
@Timeout(120)
class PromotionIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(700);

  @Test
  @DisplayName("tokens rise over a grant that the standby never saw, and clients go on")
  void tokensRise() throws Exception {
    try (PostgresPair pair = PostgresPair.start()) {
      String uri = pair.jdbcUri(PostgresServer.DATABASE) + "&user=" + pair.user() + Server.LEASE;
      try (Holdfast mine = Holdfast.connect(uri);
          Holdfast theirs = Holdfast.connect(uri)) {
        Hold used = mine.lock("used").acquire(LONG);
        theirs.lock("other").acquire(LONG).close();
        pair.standby().awaitInSync(pair.primary());
        onlyReads(pair.standby());
        pair.loseReplication();
        // Nothing of it reaches the standby: not even a row that says that there is such a name.
        Hold lost = mine.lock("new").acquire(LONG);
        used.release();
        Hold usedAgain = theirs.lock("used").acquire(LONG);

        pair.failover();
        long promoted = System.nanoTime();
        Hold next = theirs.lock("new").acquire(LONG);
        Figure.within(
            Duration.ofSeconds(1), System.nanoTime() - promoted, "standby promoted: next grant");
        assertThat(next.token()).isGreaterThan(lost.token());
        Await.until("the first holder hears of it", LONG, () -> !lost.isHeld());
        Figure.within(
            Duration.ofSeconds(2),
            System.nanoTime() - promoted,
            "standby promoted: the holder that it never saw was told (lease 2 s)");
        Hold last = mine.lock("used").acquire(LONG);
        Figure.print(
            "standby promoted: the name held there before is granted after %,d ms",
            (System.nanoTime() - promoted) / 1_000_000);
        assertThat(last.token()).isGreaterThan(usedAgain.token());
        turnedReadOnly(pair.standby(), mine);
      }
    }
  }

  /** A client that was pointed at a standby is told so; it is not told that others hold it. */
  private static void onlyReads(PostgresServer standby) throws Exception {
    String uri = standby.jdbcUri(PostgresServer.DATABASE, standby.user()) + Server.LEASE;
    try (Holdfast client = Holdfast.connect(uri)) {
      assertThatThrownBy(() -> client.lock("used").acquire(SHORT))
          .isInstanceOf(StoreUnavailableException.class)
          .hasStackTraceContaining("is read-only");
      assertThatThrownBy(() -> client.lock("never used").tryAcquire())
          .isInstanceOf(StoreUnavailableException.class);
    }
  }

  /** A server that was demoted under its clients. */
  private static void turnedReadOnly(PostgresServer server, Holdfast client) throws Exception {
    server.sql("alter system set default_transaction_read_only = on");
    server.sql("select pg_reload_conf()");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                client.lock("demoted").acquire(SHORT).close();
              }
            })
        .isInstanceOf(StoreUnavailableException.class);
    server.sql(
        "set default_transaction_read_only = off;"
            + " alter system reset default_transaction_read_only");
    server.sql("select pg_reload_conf()");
    long writes = System.nanoTime();
    client.lock("demoted").acquire(LONG).close();
    Figure.within(Duration.ofSeconds(1), System.nanoTime() - writes, "writes again: next grant");
  }
}
