package io.holdfast.jdbc.connectionlocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.servers.MariaDbPair;
import io.holdfast.rig.servers.MariaDbServer;
import io.holdfast.rig.servers.MariaDbServerOptions;
import io.holdfast.rig.servers.MySqlServer;
import io.holdfast.rig.servers.MySqlServerOptions;
import io.holdfast.rig.servers.PostgresPair;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.servers.PostgresServerOptions;
import io.holdfast.rig.servers.ServerClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tokens of locks that live on connections, when a server forgets or its clock is stepped. */
@Timeout(120)
class ConnectionLockTokensIT {

  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final Duration STEP = Duration.ofSeconds(60);
  private static final String MODE = "&holdfast.lease=2s&holdfast.mode=";

  @ParameterizedTest
  @ValueSource(strings = {"session", "row"})
  @DisplayName("rise over those that a standby never saw")
  void promoted(String mode) throws Exception {
    try (PostgresPair pair = PostgresPair.start();
        Holdfast mine =
            Holdfast.connect(
                pair.jdbcUri(PostgresServer.DATABASE) + "&user=" + pair.user() + MODE + mode)) {
      mine.lock("x").acquire(WAIT).release();
      pair.standby().awaitInSync(pair.primary());
      pair.loseReplication();
      // More than the sequence writes ahead.
      List<Long> tokens = taken(mine, 50);
      pair.failover();
      tokens.addAll(taken(mine, 10));
      assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"session", "row"})
  @DisplayName("rise over those that a replica of MariaDB never saw")
  void promotedMariaDb(String mode) throws Exception {
    try (MariaDbPair pair = MariaDbPair.start()) {
      pair.primary().createDatabase("app");
      String uri = pair.jdbcUri("app") + "?user=" + pair.primary().user() + MODE + mode;
      try (Holdfast mine = Holdfast.connect(uri)) {
        mine.lock("x").acquire(WAIT).release();
        pair.loseReplication();
        List<Long> tokens = taken(mine, 50);
        pair.failover();
        tokens.addAll(taken(mine, 10));
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"session", "row"})
  @EnabledIf(value = MySqlServer.IS_AVAILABLE, disabledReason = MySqlServer.MISSING)
  @DisplayName("rise on MySQL when its clock goes forward and back")
  void steppedMySql(String mode) throws Exception {
    assumeTrue(ServerClock.isAvailable(), "needs a compiler: apt-get install gcc");
    try (ServerClock clock = ServerClock.create();
        MySqlServer server = MySqlServer.start(MySqlServerOptions.PLAIN.withClock(clock))) {
      server.createDatabase("app");
      stepped(clock, server.jdbcUri("app", server.user()) + MODE + mode);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"session", "row"})
  @DisplayName("rise on PostgreSQL when its clock goes forward and back")
  void steppedPostgres(String mode) throws Exception {
    assumeTrue(ServerClock.isAvailable(), "needs a compiler: apt-get install gcc");
    try (ServerClock clock = ServerClock.create();
        PostgresServer server =
            PostgresServer.start(PostgresServerOptions.PLAIN.withClock(clock))) {
      stepped(clock, server.jdbcUri(PostgresServer.DATABASE, server.user()) + MODE + mode);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"session", "row"})
  @DisplayName("rise on MariaDB when its clock goes forward and back")
  void steppedMariaDb(String mode) throws Exception {
    assumeTrue(ServerClock.isAvailable(), "needs a compiler: apt-get install gcc");
    try (ServerClock clock = ServerClock.create();
        MariaDbServer server = MariaDbServer.start(MariaDbServerOptions.PLAIN.withClock(clock))) {
      stepped(clock, server.jdbcUri(MariaDbServer.DATABASE, server.user()) + MODE + mode);
    }
  }

  /** Clients come after each step too: one that connects raises the counter to the clock. */
  private static void stepped(ServerClock clock, String uri) throws Exception {
    List<Long> tokens = new ArrayList<>();
    try (Holdfast first = Holdfast.connect(uri)) {
      for (Duration step : List.of(STEP, STEP.negated(), STEP.negated(), STEP)) {
        tokens.addAll(taken(first, 5));
        clock.step(step);
        tokens.addAll(taken(first, 5));
        try (Holdfast late = Holdfast.connect(uri)) {
          tokens.addAll(taken(late, 5));
        }
      }
      tokens.addAll(taken(first, 5));
    }
    assertThat(tokens).isSorted().doesNotHaveDuplicates();
  }

  private static List<Long> taken(Holdfast holdfast, int times) throws Exception {
    List<Long> tokens = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      try (Hold hold = holdfast.lock("x").acquire(WAIT)) {
        tokens.add(hold.token());
      }
    }
    return tokens;
  }
}
