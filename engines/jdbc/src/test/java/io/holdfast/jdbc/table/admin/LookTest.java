package io.holdfast.jdbc.table.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.Db;
import io.holdfast.jdbc.Engines;
import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The operator's look, while another process writes to the same file")
@Timeout(60)
class LookTest {

  private static final Owner OWNER = new Owner("test", "localhost", 1, "main", "");

  @TempDir Path folder;

  @Test
  @DisplayName("keeps nobody out and waits for nobody")
  void waitsForNobody() throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve("look.db");
    Settings usual = Engines.settings();
    Settings hasty =
        new Settings(
            usual.lease(), Duration.ofMillis(200), 0, usual.nanoTime(), usual.epochMicros());
    try (LockEngine engine = JdbcEngine.open(JdbcOptions.of(url), usual);
        LockEngine looking = JdbcEngine.open(JdbcOptions.of(url), hasty);
        Connection other = DriverManager.getConnection(url)) {
      for (Order order : Order.values()) {
        engine.attempt(ticket(order), () -> {});
      }
      EngineInspector inspector = looking.inspector().orElseThrow();
      Db.run(other, "begin immediate");

      assertThat(inspector.list("default", "", "", 10)).hasSize(2);
      for (Order order : Order.values()) {
        assertThat(inspector.show(ticket(order).resource()))
            .hasValueSatisfying(line -> assertThat(line.tickets()).hasSize(1));
      }
      Db.run(other, "rollback");
    }
  }

  private static Ticket ticket(Order order) {
    return new Ticket(
        new Ticket.Id(1, 2, order == Order.ANY ? 1 : 2),
        new Resource("default", "seen " + order),
        Shape.mutex(order),
        1,
        Duration.ofSeconds(30),
        0,
        true,
        OWNER);
  }
}
