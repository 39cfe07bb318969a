package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.Await;
import io.holdfast.rig.Direction;
import io.holdfast.rig.Fault;
import io.holdfast.rig.FaultProxy;
import io.holdfast.rig.ProxyCounts;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An attempt that reaches the database when its caller has long given up and left. */
@Timeout(120)
class U04LateAttemptIT {

  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  @DisplayName("an attempt that the network holds back until after its leave does not join")
  void heldBack(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        FaultProxy proxy = FaultProxy.to(server.process());
        LockEngine late = open(server.url(proxy.port()));
        LockEngine direct = open(server.url())) {
      for (Order order : Order.values()) {
        Ticket first = Tickets.mutex("late-" + order, order);
        assertThat(late.attempt(first, Wake.NONE)).isInstanceOf(Standing.Granted.class);
        late.leave(first, false);

        Ticket ticket = Tickets.mutex("late-" + order, order);
        proxy.apply(Direction.REQUESTS, new Fault.Hold());
        Throwable end = catchThrowable(() -> late.attempt(ticket, Wake.NONE));
        assertThat(end).isInstanceOf(EngineException.class);
        direct.leave(ticket, true);
        arrive(proxy);

        Ticket rival = Tickets.mutex("late-" + order, order);
        assertThat(direct.attempt(rival, Wake.NONE)).isInstanceOf(Standing.Granted.class);
        direct.leave(rival, false);
        Figure.print("%s, %s: an attempt arrived after its leave and did not join", kind, order);
      }
    }
  }

  /** Lets what was held back through, and waits until the database has answered it. */
  private static void arrive(FaultProxy proxy) {
    ProxyCounts before = proxy.counts();
    proxy.heal();
    Await.until("the late request", LONG, () -> !proxy.counts().equals(before));
  }

  private static LockEngine open(String url) {
    return JdbcEngine.open(JdbcOptions.of(url), Tickets.settings(Duration.ofSeconds(1)));
  }
}
