package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A MariaDB that was made a replica under its clients; PostgreSQL's is in {@link PromotionIT}. */
@Timeout(120)
class U22ReadOnlyIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  @DisplayName("a database that only reads is unavailable, not busy, and heals")
  void onlyReads() throws Exception {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.createDatabase("app");
      // Without the right to write where nobody may.
      server.createUser("locks", "secret", "app");
      String uri = server.jdbcUri("app", "locks") + "&password=secret" + Server.LEASE;
      try (Holdfast client = Holdfast.connect(uri)) {
        Hold before = client.lock("x").acquire(LONG);
        before.close();
        server.sql("set global read_only = 1");
        assertThatThrownBy(() -> client.lock("x").acquire(Duration.ofMillis(500)))
            .isInstanceOf(StoreUnavailableException.class)
            .hasStackTraceContaining("is read-only");
        assertThatThrownBy(() -> client.lock("new").tryAcquire())
            .isInstanceOf(StoreUnavailableException.class);
        server.sql("set global read_only = 0");
        long writes = System.nanoTime();
        try (Hold after = client.lock("x").acquire(LONG)) {
          Figure.within(
              Duration.ofSeconds(1),
              System.nanoTime() - writes,
              "MARIADB: writes again: next grant");
          assertThat(after.token()).isGreaterThan(before.token());
        }
      }
    }
  }
}
