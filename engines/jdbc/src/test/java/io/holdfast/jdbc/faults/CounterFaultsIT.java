package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.rig.Await;
import io.holdfast.rig.Figure;
import io.holdfast.spi.Counter;
import io.holdfast.spi.Counter.Ask;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Blocks of numbers while a database is killed under those that take them. */
@Timeout(120)
class CounterFaultsIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long COUNT = 100;

  @ParameterizedTest
  @EnumSource
  @DisplayName("a database that is killed repeats no block: a lost answer wastes one")
  void killed(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Holdfast mine = Holdfast.connect(server.url());
        Holdfast theirs = Holdfast.connect(server.url())) {
      Counter counter = mine.counter().orElseThrow();
      List<Long> blocks = Collections.synchronizedList(new ArrayList<>());
      Thread first = new Thread(() -> takeUntilItFails(counter, blocks), "first");
      Thread second =
          new Thread(() -> takeUntilItFails(theirs.counter().orElseThrow(), blocks), "second");
      first.start();
      second.start();
      Await.until("blocks", LONG, () -> blocks.size() >= 200);
      server.process().kill9();
      first.join();
      second.join();
      server.process().restart();
      long next = Await.value("a block", LONG, () -> Optional.of(take(counter)));
      blocks.add(next);
      List<Long> sorted = new ArrayList<>(blocks);
      Collections.sort(sorted);
      for (int i = 1; i < sorted.size(); i++) {
        assertThat(sorted.get(i)).isGreaterThanOrEqualTo(sorted.get(i - 1) + COUNT);
      }
      assertThat(sorted.get(sorted.size() - 1)).isEqualTo(next);
      Figure.print(
          "%s: %d blocks before and after it was killed, %d wasted",
          kind, blocks.size(), next / COUNT + 1 - blocks.size());
    }
  }

  private static long take(Counter counter) throws EngineException {
    return counter.take(new Ask(new Resource("default", "orders"), COUNT, 0, false));
  }

  private static void takeUntilItFails(Counter counter, List<Long> blocks) {
    try {
      while (true) {
        blocks.add(take(counter));
      }
    } catch (EngineException e) {
      assertThat(e).isNotInstanceOf(EngineException.Refused.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("without the table and the right to create it, the statement is told")
  void noTable(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Holdfast creates = Holdfast.connect(server.url());
        Holdfast poor = Holdfast.connect(server.url() + "&holdfast.create=false")) {
      creates.lock("a").acquire(LONG).close();
      assertThatThrownBy(() -> take(poor.counter().orElseThrow()))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("create table if not exists holdfast_counter");
      assertThat(take(creates.counter().orElseThrow())).isZero();
      assertThat(take(poor.counter().orElseThrow())).isEqualTo(COUNT);
    }
  }
}
