package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that is killed just after releases; what was granted is in the fault kit, F08. */
@Timeout(120)
class KilledDatabaseIT {

  private static final Duration LONG = Duration.ofSeconds(60);

  @ParameterizedTest
  @EnumSource
  @DisplayName("a release that the crash undid costs what is left of its lease, and no more")
  void releasedJustBefore(Server.Kind kind) throws Exception {
    Duration lease = Duration.ofSeconds(2);
    try (Server server = kind.start();
        Holdfast mine = Holdfast.connect(server.url() + "&holdfast.lease=2s");
        Holdfast theirs = Holdfast.connect(server.url() + "&holdfast.lease=2s")) {
      List<Hold> released = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Hold hold = mine.lock("released/" + i).acquire(LONG);
        hold.release();
        released.add(hold);
      }
      server.process().kill9();
      server.process().restart();
      long up = System.nanoTime();
      int undone = 0;
      for (Hold hold : released) {
        Optional<Hold> next = theirs.lock(hold.name()).tryAcquire();
        undone += next.isPresent() ? 0 : 1;
        Hold last = next.isPresent() ? next.get() : theirs.lock(hold.name()).acquire(LONG);
        assertThat(last.token()).isGreaterThan(hold.token());
        last.release();
      }
      Figure.within(
          lease.plusSeconds(1),
          System.nanoTime() - up,
          "%s: killed: %d of 20 releases undone, all granted anew".formatted(kind, undone));
    }
  }
}
