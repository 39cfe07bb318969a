package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcEngineProvider;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.servers.PgBouncer;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks of a session, where it is not one session that answers: at the start, and at a grant. */
@Timeout(120)
class U29SessionIT {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final String MODE = "&holdfast.mode=session";

  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  @DisplayName("a pooler that gives sessions away is refused at the start")
  void refused(int poolSize) throws Exception {
    try (PostgresServer server = PostgresServer.start();
        PgBouncer pooler = PgBouncer.start(server, PgBouncer.PoolMode.TRANSACTION, poolSize);
        Holdfast holdfast =
            Holdfast.connect(pooler.jdbcUri(PostgresServer.DATABASE, pooler.user()) + MODE)) {
      assertThatThrownBy(() -> holdfast.lock("a").acquire(WAIT))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("pool_mode = session")
          .hasMessageContaining("holdfast.mode=table");
      assertThat(server.sql("select count(*) from pg_locks where locktype = 'advisory'"))
          .isEqualTo("0");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("another session than that of the start grants nothing, and takes nothing")
  void anotherSession(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Swapped source = new Swapped(server.url());
        LockEngine engine = over(source, server);
        LockEngine rival =
            new JdbcEngineProvider()
                .open(server.url() + MODE, Tickets.settings(Duration.ofSeconds(2)))) {
      Ticket first = granted(engine, "first");
      source.swap();
      assertThatThrownBy(() -> engine.attempt(Tickets.mutex("second", LEASE), () -> {}))
          .isInstanceOf(EngineException.Unknown.class)
          .hasMessageContaining("another session replied");
      Ticket second = granted(rival, "second");
      assertThat(engine.renew(first)).isEqualTo(new Renewal.Gone(Renewal.Cause.SESSION_OVER, ""));
      granted(engine, "third");
      assertThat(rival.leave(second, false)).isEqualTo(Left.HOLDING);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("nor does it in a batch that gives back as well, of which nothing is known")
  void exchange(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Swapped source = new Swapped(server.url());
        LockEngine engine = over(source, server)) {
      Ticket first = granted(engine, "first");
      source.swap();
      CompletableFuture<Left> left = new CompletableFuture<>();
      CompletableFuture<Standing> taken = new CompletableFuture<>();
      engine.perform(
          List.of(
              new Verb.Leave(first, false, new Told<>(left)),
              new Verb.Attempt(Tickets.mutex("second", LEASE), () -> {}, new Told<>(taken))));
      for (CompletableFuture<?> each : List.of(left, taken)) {
        assertThatThrownBy(each::get)
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(EngineException.Unknown.class);
      }
    }
  }

  private static LockEngine over(Swapped source, Server server) {
    return JdbcEngine.over(
        source.source(),
        JdbcOptions.of(server.url() + MODE),
        Tickets.settings(Duration.ofSeconds(2)));
  }

  private static Ticket granted(LockEngine engine, String name) throws EngineException {
    Ticket ticket = Tickets.mutex(name, LEASE);
    assertThat(engine.attempt(ticket, () -> {})).isInstanceOf(Standing.Granted.class);
    return ticket;
  }

  /** Keeps what a verb was told. */
  private record Told<T>(CompletableFuture<T> told) implements Verb.Answer<T> {

    @Override
    public void answered(T answer) {
      told.complete(answer);
    }

    @Override
    public void failed(EngineException failure) {
      told.completeExceptionally(failure);
    }
  }
}
