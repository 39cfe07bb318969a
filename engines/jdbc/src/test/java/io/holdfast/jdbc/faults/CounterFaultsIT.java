package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.rig.scenarios.CounterBlocks;
import io.holdfast.rig.scenarios.CounterFaultScenario;
import io.holdfast.rig.servers.PostgresPair;
import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Blocks of numbers while a database is killed, or replaced, under those that take them. */
@Timeout(120)
class CounterFaultsIT {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long SIZE = 100;

  @ParameterizedTest
  @EnumSource
  @DisplayName("a database that is killed repeats no block: a lost answer wastes one")
  void killed(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Holdfast mine = Holdfast.connect(server.url());
        Holdfast theirs = Holdfast.connect(server.url())) {
      CounterFaultScenario.killed(
          kind.toString(),
          server.process(),
          mine.counter().orElseThrow(),
          theirs.counter().orElseThrow());
    }
  }

  @Test
  @DisplayName(
      "a standby that takes over without the last blocks repeats none that follow the clock")
  void promoted() throws Exception {
    try (PostgresPair pair = PostgresPair.start();
        Holdfast client = Holdfast.connect(url(pair))) {
      Counter counter = client.counter().orElseThrow();
      CounterBlocks blocks = CounterBlocks.clocked(SIZE);
      blocks.take(counter);
      pair.loseReplication();
      long forgotten = 0;
      for (int i = 0; i < 20; i++) {
        forgotten = blocks.take(counter);
      }
      pair.failover();
      long first = blocks.takeInSpite(counter);
      blocks.requireApart();
      assertThat(first).isGreaterThanOrEqualTo(forgotten + SIZE);
    }
  }

  @Test
  @DisplayName("without the clock the same standby repeats a block: ids.md says so")
  void promotedWithoutTheClock() throws Exception {
    try (PostgresPair pair = PostgresPair.start();
        Holdfast client = Holdfast.connect(url(pair))) {
      Counter counter = client.counter().orElseThrow();
      CounterBlocks blocks = CounterBlocks.of(SIZE);
      blocks.take(counter);
      pair.loseReplication();
      long forgotten = blocks.take(counter);
      pair.failover();
      assertThat(blocks.takeInSpite(counter)).isEqualTo(forgotten);
    }
  }

  private static String url(PostgresPair pair) {
    return pair.jdbcUri(PostgresServer.DATABASE) + "&user=" + pair.user();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("without the table and the right to create it, the statement is told")
  void noTable(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        Holdfast creates = Holdfast.connect(server.url());
        Holdfast poor = Holdfast.connect(server.url() + "&holdfast.create=false")) {
      creates.lock("a").acquire(LONG).close();
      CounterBlocks blocks = CounterBlocks.of(SIZE);
      assertThatThrownBy(() -> blocks.take(poor.counter().orElseThrow()))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("create table if not exists holdfast_counter");
      assertThat(blocks.take(creates.counter().orElseThrow())).isZero();
      assertThat(blocks.take(poor.counter().orElseThrow())).isEqualTo(SIZE);
    }
  }
}
