package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A statement of H2 that fails in the middle of its rows. */
@Timeout(60)
class H2BatchTest {

  private static final Duration LEASE = Duration.ofSeconds(60);

  @Test
  @DisplayName("attempts that are said not to be done have taken nothing")
  void allOrNothing() throws Exception {
    String url = "jdbc:h2:mem:half-" + System.nanoTime() + ";DB_CLOSE_DELAY=-1";
    try (LockEngine engine =
            JdbcEngine.open(JdbcOptions.of(url), Tickets.settings(Duration.ofMillis(500)));
        Connection other = DriverManager.getConnection(url);
        Statement statement = other.createStatement()) {
      for (String name : List.of("a", "b")) {
        Ticket once = Tickets.mutex(name, LEASE);
        engine.attempt(once, () -> {});
        engine.leave(once, false);
      }
      other.setAutoCommit(false);
      statement.execute("select * from holdfast_lock where name = 'b' for update");
      List<EngineException> failures = new ArrayList<>();
      engine.perform(List.of(attempt("a", failures), attempt("b", failures)));
      assertThat(failures).hasSize(2).allMatch(EngineException.NotDone.class::isInstance);
      other.rollback();
      assertThat(engine.attempt(Tickets.mutex("a", LEASE), () -> {}))
          .isInstanceOf(Standing.Granted.class);
    }
  }

  private static Verb attempt(String name, List<EngineException> failures) {
    return new Verb.Attempt(
        Tickets.mutex(name, LEASE),
        () -> {},
        new Verb.Answer<>() {
          @Override
          public void answered(Standing answer) {
            throw new AssertionError(answer);
          }

          @Override
          public void failed(EngineException failure) {
            failures.add(failure);
          }
        });
  }
}
