package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.benchmarks.peers.ContenderSpec;
import io.holdfast.benchmarks.suites.Goal;
import io.holdfast.benchmarks.suites.MemorySuite;
import io.holdfast.benchmarks.suites.RaceFactory;
import io.holdfast.cli.bench.Race;
import io.holdfast.cli.bench.RaceEntry;
import io.holdfast.cli.bench.StoreKind;
import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaceFactoryTest {

  @TempDir Path folder;

  static Race race(RaceFactory factory, BenchOptions options) {
    return factory.of(options.stores(), options.peers(), options.order(), options.setup());
  }

  private Race race(String line) {
    return race(
        new RaceFactory(folder, kind -> "redis://own:1"),
        BenchOptions.parse(List.of(line.split(" "))));
  }

  @Test
  void the_floor_of_a_store_runs_along() {
    assertThat(race("--store memory: --order any").entries())
        .extracting(RaceEntry::name, RaceEntry::floor)
        .containsExactly(tuple("holdfast memory: any", false), tuple("reentrant", true));
    assertThat(race("--store memory: --order fifo").entries())
        .extracting(RaceEntry::name)
        .containsExactly("holdfast memory: fifo", "reentrant-fair");
  }

  @Test
  void a_floor_that_is_there_already_runs_once() {
    assertThat(race("--store memory: --peers reentrant").entries())
        .extracting(RaceEntry::name)
        .containsExactly("holdfast memory: any", "reentrant");
  }

  @Test
  void the_same_store_twice_shows_the_noise() {
    assertThat(race("--store memory: --store memory: --peers reentrant").entries())
        .extracting(RaceEntry::name)
        .containsExactly("holdfast memory: any", "holdfast memory: any #2", "reentrant");
  }

  @Test
  void held_locks_are_compared_with_none() {
    assertThat(race("--mode held --held 1000 --peers reentrant").entries())
        .extracting(RaceEntry::name)
        .containsExactly("reentrant, 0 held", "reentrant, 1,000 held");
  }

  @Test
  void redis_without_an_address_is_a_server_of_the_run_for_all() {
    assertThat(race("--store redis: --peers redisson,jedis-set-nx --mode processes").entries())
        .extracting(RaceEntry::name)
        .containsExactly("holdfast redis: any", "redisson", "jedis-set-nx");
    RaceFactory lineup = new RaceFactory(folder, kind -> "redis://own:1");
    assertThat(
            lineup.store(
                BenchOptions.parse(List.of("--peers", "redisson")).stores(), StoreKind.REDIS))
        .isEqualTo("redis://own:1");
    assertThat(
            lineup.store(
                BenchOptions.parse(List.of("--store", "redis://given:2")).stores(),
                StoreKind.REDIS))
        .isEqualTo("redis://given:2");
  }

  @Test
  void names_of_stores_have_no_secrets() {
    assertThat(ContenderSpec.holdfast("redis://:secret@host/0", Order.ANY).contender().name())
        .isEqualTo("holdfast redis: any");
    assertThat(ContenderSpec.holdfast("jdbc:postgresql://h/d?password=p", Order.FIFO).toString())
        .isEqualTo("holdfast jdbc:postgresql: fifo");
  }

  @Test
  void the_preset_takes_about_a_minute() {
    List<Race> races =
        MemorySuite.races(
            new RaceFactory(folder, kind -> "redis://own:1"), MemorySuite.TIME, MemorySuite.ROUNDS);
    assertThat(races.stream().mapToDouble(Race::seconds).sum()).isBetween(50.0, 70.0);
  }

  @Test
  void every_bar_has_its_row_in_the_preset() {
    List<Race> races =
        MemorySuite.races(
            new RaceFactory(folder, kind -> "redis://own:1"), MemorySuite.TIME, MemorySuite.ROUNDS);
    for (Goal goal : MemorySuite.goals()) {
      assertThat(races)
          .filteredOn(race -> race.heading().equals(goal.heading()))
          .flatExtracting(Race::entries)
          .extracting(RaceEntry::name)
          .contains(goal.entry());
    }
  }
}
