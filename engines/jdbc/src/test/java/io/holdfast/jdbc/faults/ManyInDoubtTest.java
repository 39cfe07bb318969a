package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Tickets that left in doubt")
@Timeout(60)
class ManyInDoubtTest {

  private static final int MANY = 300;

  @Test
  @DisplayName("stay out for a lease, however many they are")
  void stayOut() throws Exception {
    try (LockEngine engine =
        JdbcEngine.open(
            JdbcOptions.of("jdbc:h2:mem:doubt;DB_CLOSE_DELAY=-1"),
            Tickets.settings(Duration.ofSeconds(10)))) {
      List<Ticket> left = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        left.add(Tickets.mutex("doubt", Duration.ofSeconds(60)));
        engine.leave(left.get(i), true);
      }
      for (Ticket ticket : left) {
        assertThatThrownBy(() -> engine.attempt(ticket, () -> {}))
            .isInstanceOf(EngineException.Refused.class);
      }
    }
  }
}
