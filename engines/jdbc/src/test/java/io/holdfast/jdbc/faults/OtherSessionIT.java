package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcEngineProvider;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The mode session on a connection that continues in another session, which has no locks. */
@Timeout(120)
class OtherSessionIT {

  /** Long enough for a busy machine to open a connection. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Duration LEASE = Duration.ofSeconds(30);

  @ParameterizedTest
  @EnumSource
  @DisplayName("a renewal that another session replies to reports that the session is over")
  void renewal(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Swapped source = new Swapped(server.url());
        LockEngine engine =
            JdbcEngine.over(
                source.source(), JdbcOptions.of(uri(server)), Tickets.settings(PATIENCE));
        LockEngine rival = new JdbcEngineProvider().open(uri(server), Tickets.settings(PATIENCE))) {
      Ticket mine = granted(engine);
      source.swap();
      source.endOthers();
      Ticket next = Tickets.mutex("x", LEASE);
      // The session that was ended frees its lock when it notices.
      Await.until(
          "a grant to the rival",
          PATIENCE,
          () -> rival.attempt(next, () -> {}) instanceof Standing.Granted);
      assertThat(engine.renew(mine)).isEqualTo(new Renewal.Gone(Renewal.Cause.SESSION_OVER, ""));
    }
  }

  private static String uri(Server server) {
    return server.url() + (server.url().contains("?") ? "&" : "?") + "holdfast.mode=session";
  }

  private static Ticket granted(LockEngine engine) throws EngineException {
    Ticket ticket = Tickets.mutex("x", LEASE);
    assertThat(engine.attempt(ticket, () -> {})).isInstanceOf(Standing.Granted.class);
    return ticket;
  }
}
