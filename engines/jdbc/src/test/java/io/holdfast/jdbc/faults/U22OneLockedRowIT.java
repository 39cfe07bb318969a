package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineException;
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

/**
 * U22: a batch of which others have a row locked. If it waited for that one with the rest in hand,
 * clients whose batches overlap would queue up, each behind all the rows of the one before it. Not
 * on MariaDB, whose statement for many mutexes cannot skip a row.
 */
@Timeout(120)
class U22OneLockedRowIT {

  private static final Duration LEASE = Duration.ofSeconds(60);
  private static final Duration OPERATION = Duration.ofSeconds(40);

  @Test
  @DisplayName("a row that somebody has locked does not keep the rest of a batch from its answers")
  void theRestIsDone() throws Exception {
    try (Server server = Server.Kind.POSTGRESQL.start();
        LockEngine engine =
            JdbcEngine.open(JdbcOptions.of(server.url()), Tickets.settings(OPERATION));
        Connection other = DriverManager.getConnection(server.url())) {
      for (String name : List.of("a", "b", "c")) {
        engine.attempt(Tickets.mutex(name, LEASE), () -> {});
      }
      Told locked = new Told();
      Told free = new Told();
      Told last = new Told();
      List<Verb> batch = List.of(waits("a", locked), waits("b", free), waits("c", last));
      lock(other, "a");
      long start = System.nanoTime();

      CompletableFuture<Void> run = CompletableFuture.runAsync(() -> engine.perform(batch));

      assertThat(free.get()).isInstanceOf(Standing.Waiting.class);
      assertThat(last.get()).isInstanceOf(Standing.Waiting.class);
      Figure.since(start, Duration.ofSeconds(1), "the rest of a batch with a locked row");
      assertThat(locked.told).isNotDone();
      other.rollback();
      assertThat(locked.get()).isInstanceOf(Standing.Waiting.class);
      run.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("what was granted beside a new name that another is about to make is told")
  void theGrantIsTold() throws Exception {
    try (Server server = Server.Kind.POSTGRESQL.start();
        LockEngine engine =
            JdbcEngine.open(JdbcOptions.of(server.url()), Tickets.settings(Duration.ofSeconds(4)));
        Connection other = DriverManager.getConnection(server.url())) {
      Ticket before = Tickets.mutex("there", LEASE);
      engine.attempt(before, () -> {});
      engine.leave(before, false);
      make(other, "new");
      Told granted = new Told();
      Told waits = new Told();

      engine.perform(List.of(waits("there", granted), waits("new", waits)));

      assertThat(granted.get()).isInstanceOf(Standing.Granted.class);
      assertThatThrownBy(waits::get).hasCauseInstanceOf(EngineException.NotDone.class);
    }
  }

  private static void make(Connection other, String name) throws Exception {
    other.setAutoCommit(false);
    try (Statement statement = other.createStatement()) {
      statement.execute(
          "insert into holdfast_lock (ns, name, kind, capacity, generation, counter, lease_us,"
              + " expires_us, joined_us, wanted_us, next_place, touched_us)"
              + " values ('default', '"
              + name
              + "', '-', 1, 0, 0, 0, 0, 0, 0, 0, 0)");
    }
  }

  private static Verb waits(String name, Told told) {
    Ticket ticket = Tickets.mutex(name, LEASE);
    return new Verb.Attempt(ticket, () -> {}, told);
  }

  private static void lock(Connection other, String name) throws Exception {
    other.setAutoCommit(false);
    try (Statement statement = other.createStatement()) {
      statement
          .executeQuery("select name from holdfast_lock where name = '" + name + "' for update")
          .close();
    }
  }

  /** Keeps what an attempt was told. */
  private static final class Told implements Verb.Answer<Standing> {

    private final CompletableFuture<Standing> told = new CompletableFuture<>();

    Standing get() throws Exception {
      return told.get(10, TimeUnit.SECONDS);
    }

    @Override
    public void answered(Standing answer) {
      told.complete(answer);
    }

    @Override
    public void failed(EngineException failure) {
      told.completeExceptionally(failure);
    }
  }
}
