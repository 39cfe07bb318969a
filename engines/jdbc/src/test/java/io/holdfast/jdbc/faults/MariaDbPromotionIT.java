package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.servers.MariaDbPair;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica of MariaDB that takes over without the last commits. */
@Timeout(120)
class MariaDbPromotionIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(700);

  /** One who may not write where nobody may, as the rig's own user could. */
  private static final String LOGIN = "?user=locks&password=secret" + Server.LEASE;

  @Test
  @DisplayName("tokens rise over a grant that the replica never saw, and clients go on")
  void tokensRise() throws Exception {
    try (MariaDbPair pair = MariaDbPair.start()) {
      pair.primary().createDatabase("app");
      pair.primary().createUser("locks", "secret", "app");
      String uri = pair.jdbcUri("app") + LOGIN;
      try (Holdfast mine = Holdfast.connect(uri);
          Holdfast theirs = Holdfast.connect(uri)) {
        Hold used = mine.lock("used").acquire(LONG);
        theirs.lock("other").acquire(LONG).close();
        pair.awaitInSync();
        onlyReads(pair);
        pair.loseReplication();
        // Nothing of it reaches the replica: not even a row that says that there is such a name.
        Hold lost = mine.lock("new").acquire(LONG);
        used.release();
        Hold usedAgain = theirs.lock("used").acquire(LONG);

        pair.failover();
        long promoted = System.nanoTime();
        Hold next = theirs.lock("new").acquire(LONG);
        Figure.within(
            Duration.ofSeconds(1), System.nanoTime() - promoted, "replica promoted: next grant");
        assertThat(next.token()).isGreaterThan(lost.token());
        Await.until("the first holder hears of it", LONG, () -> !lost.isHeld());
        Figure.within(
            Duration.ofSeconds(2),
            System.nanoTime() - promoted,
            "replica promoted: the holder that it never saw was told (lease 2 s)");
        Hold last = mine.lock("used").acquire(LONG);
        Figure.print(
            "replica promoted: the name held there before is granted after %,d ms",
            (System.nanoTime() - promoted) / 1_000_000);
        assertThat(last.token()).isGreaterThan(usedAgain.token());
      }
    }
  }

  /** A client that was pointed at a replica is told so; it is not told that others hold it. */
  private static void onlyReads(MariaDbPair pair) throws Exception {
    try (Holdfast client = Holdfast.connect(pair.standby().jdbcUri("app") + LOGIN)) {
      assertThatThrownBy(() -> client.lock("used").acquire(SHORT))
          .isInstanceOf(StoreUnavailableException.class)
          .hasStackTraceContaining("is read-only");
      assertThatThrownBy(() -> client.lock("never used").tryAcquire())
          .isInstanceOf(StoreUnavailableException.class);
    }
  }
}
