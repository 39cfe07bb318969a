package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One batch with a ticket that is in and one that is long out, of the same resource: what a client
 * sends that was cut off and came back.
 */
@Timeout(120)
class OneBatchIT {

  private static final Duration LEASE = Duration.ofSeconds(20);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  @DisplayName("each ticket gets its own answer, in whatever order they stand")
  void eachItsOwn(Server.Kind kind) throws Exception {
    try (Server server = kind.start()) {
      eachItsOwn(server.url());
    }
  }

  @Test
  @DisplayName("the same on H2")
  void eachItsOwnOnH2() throws Exception {
    eachItsOwn("jdbc:h2:mem:batch;DB_CLOSE_DELAY=-1");
  }

  @Test
  @DisplayName("the same on SQLite")
  void eachItsOwnOnSqlite() throws Exception {
    eachItsOwn("jdbc:sqlite:" + folder.resolve("batch.db"));
  }

  private static void eachItsOwn(String url) throws Exception {
    try (LockEngine engine =
        JdbcEngine.open(JdbcOptions.of(url), Tickets.settings(Duration.ofSeconds(2)))) {
      for (boolean deadFirst : new boolean[] {true, false}) {
        Ticket dead = Tickets.mutex("x", LEASE);
        engine.attempt(dead, () -> {});
        engine.leave(dead, false);
        Ticket in = Tickets.mutex("x", LEASE);
        assertThat(engine.attempt(in, () -> {})).isInstanceOf(Standing.Granted.class);
        renews(engine, in, dead, deadFirst);
        leaves(engine, in, dead, deadFirst);
      }
    }
  }

  private static void renews(LockEngine engine, Ticket in, Ticket dead, boolean deadFirst)
      throws Exception {
    Answer<Renewal> ofDead = new Answer<>();
    Answer<Renewal> ofHolder = new Answer<>();
    Verb gone = new Verb.Renew(dead, ofDead);
    Verb renewed = new Verb.Renew(in, ofHolder);
    engine.perform(deadFirst ? List.of(gone, renewed) : List.of(renewed, gone));
    assertThat(ofDead.get()).isInstanceOf(Renewal.Gone.class);
    assertThat(ofHolder.get()).isInstanceOf(Renewal.Renewed.class);
  }

  private static void leaves(LockEngine engine, Ticket in, Ticket dead, boolean deadFirst)
      throws Exception {
    Answer<Left> ofDead = new Answer<>();
    Answer<Left> ofHolder = new Answer<>();
    Verb nothing = new Verb.Leave(dead, false, ofDead);
    Verb held = new Verb.Leave(in, false, ofHolder);
    engine.perform(deadFirst ? List.of(nothing, held) : List.of(held, nothing));
    assertThat(ofDead.get()).isEqualTo(Left.NOTHING);
    assertThat(ofHolder.get()).isEqualTo(Left.HOLDING);
  }

  /** Keeps what a verb was told. */
  private static final class Answer<T> implements Verb.Answer<T> {

    private final CompletableFuture<T> told = new CompletableFuture<>();

    T get() throws Exception {
      return told.get();
    }

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
