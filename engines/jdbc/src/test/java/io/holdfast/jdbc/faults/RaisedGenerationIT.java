package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A generation is raised while a batch of an older client waits for the row of another name. */
@Timeout(120)
class RaisedGenerationIT {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Not innodb_trx, which shows a cache that frequent queries keep from being refreshed. */
  private static final String WAITING =
      "select variable_value from information_schema.global_status"
          + " where variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS'";

  @Test
  @DisplayName("nobody gets a token below one that was granted before")
  void tokensDoNotGoBack() throws Exception {
    try (Server server = Server.Kind.MARIADB.start();
        LockEngine older = open(server);
        LockEngine newer = open(server);
        Connection other = DriverManager.getConnection(server.url());
        Statement statement = other.createStatement()) {
      use(older, Tickets.mutex("a", LEASE));
      use(older, Tickets.mutex("b", LEASE));
      other.setAutoCommit(false);
      statement.execute(
          "select ticket from holdfast_lock where ns = 'default' and name = 'a' for update");
      CompletableFuture<Standing> late = new CompletableFuture<>();
      CompletableFuture<Void> batch = CompletableFuture.runAsync(() -> both(older, late));
      Await.until("the batch waits", PATIENCE, () -> server.number(WAITING) == 1);
      use(newer, ofGeneration(1, Tickets.mutex("b", LEASE)));
      other.rollback();
      batch.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThatThrownBy(late::get)
          .hasCauseInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("lower than generation 1");
    }
  }

  private static LockEngine open(Server server) {
    return JdbcEngine.open(JdbcOptions.of(server.url()), Tickets.settings(PATIENCE));
  }

  private static void use(LockEngine engine, Ticket ticket) throws EngineException {
    assertThat(engine.attempt(ticket, () -> {})).isInstanceOf(Standing.Granted.class);
    assertThat(engine.leave(ticket, false)).isEqualTo(Left.HOLDING);
  }

  private static void both(LockEngine engine, CompletableFuture<Standing> second) {
    engine.perform(
        List.of(
            new Verb.Attempt(Tickets.mutex("a", LEASE), () -> {}, told(new CompletableFuture<>())),
            new Verb.Attempt(Tickets.mutex("b", LEASE), () -> {}, told(second))));
  }

  private static Verb.Answer<Standing> told(CompletableFuture<Standing> future) {
    return new Verb.Answer<>() {
      @Override
      public void answered(Standing answer) {
        future.complete(answer);
      }

      @Override
      public void failed(EngineException failure) {
        future.completeExceptionally(failure);
      }
    };
  }

  private static Ticket ofGeneration(int generation, Ticket ticket) {
    return new Ticket(
        ticket.id(),
        ticket.resource(),
        ticket.shape(),
        ticket.weight(),
        ticket.lease(),
        generation,
        ticket.waits(),
        ticket.owner());
  }
}
