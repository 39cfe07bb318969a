package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.Health;
import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.time.Figure;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A program that starts before its database, and one that finds no tables there. */
@Timeout(120)
class U49DatabaseDownIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final Pattern STATEMENT = Pattern.compile("(create table|insert into) [^;]*");

  @ParameterizedTest
  @EnumSource
  @DisplayName("down at the start: connecting works, acquiring says so, and then it works")
  void starts(Server.Kind kind) throws Exception {
    try (Server server = kind.start()) {
      server.process().stop();
      try (Holdfast holdfast = Holdfast.connect(server.uri() + "&holdfast.create=false")) {
        assertThatThrownBy(() -> holdfast.lock("x").acquire(SHORT))
            .isInstanceOf(StoreUnavailableException.class)
            .hasMessageContaining("127.0.0.1");
        assertThat(holdfast.health().status()).isEqualTo(Health.Status.DOWN);

        server.process().restart();
        long up = System.nanoTime();
        server.run(statements(holdfast).toArray(String[]::new));
        holdfast.lock("x").acquire(LONG).close();
        Figure.within(
            Duration.ofSeconds(2),
            System.nanoTime() - up,
            kind + ": up, and the tables made from the error: first grant");
        assertThat(holdfast.health().status()).isEqualTo(Health.Status.UP);
      }
    }
  }

  /** What the error says to run, once the database answers that there are no tables. */
  private static List<String> statements(Holdfast holdfast) {
    Throwable error = catchThrowable(() -> holdfast.lock("x").acquire(LONG));
    assertThat(error).isInstanceOf(LockRefusedException.class);
    List<String> found =
        STATEMENT.matcher(error.getMessage()).results().map(MatchResult::group).toList();
    assertThat(found).hasSize(4);
    return found;
  }
}
