package io.holdfast.jdbc.connectionlocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.servers.MariaDbServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server whose tables have no locks of rows unless they are told to. */
@Timeout(120)
class RowEngineIT {

  @Test
  void rows_are_locked_whatever_the_usual_kind_of_table_is() throws Exception {
    try (MariaDbServer server = MariaDbServer.start("--default-storage-engine=Aria")) {
      String uri = server.jdbcUri(MariaDbServer.DATABASE, server.user()) + "&holdfast.mode=row";
      try (Holdfast mine = Holdfast.connect(uri);
          Holdfast theirs = Holdfast.connect(uri);
          Hold hold = mine.lock("x").acquire(Duration.ofSeconds(10))) {
        assertThat(theirs.lock("x").tryAcquire()).isEmpty();
        hold.ensureHeld();
      }
    }
  }
}
