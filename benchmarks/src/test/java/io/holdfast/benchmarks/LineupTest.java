package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineupTest {

  @TempDir Path folder;

  private Race race(String line) {
    return new Lineup(folder, kind -> "redis://own:1").of(Options.parse(List.of(line.split(" "))));
  }

  @Test
  void the_floor_of_a_store_runs_along() {
    assertThat(race("--store memory: --order any").racers())
        .extracting(Racer::name, Racer::floor)
        .containsExactly(tuple("holdfast memory: any", false), tuple("reentrant", true));
    assertThat(race("--store memory: --order fifo").racers())
        .extracting(Racer::name)
        .containsExactly("holdfast memory: fifo", "reentrant-fair");
  }

  @Test
  void a_floor_that_is_there_already_runs_once() {
    assertThat(race("--store memory: --peers reentrant").racers())
        .extracting(Racer::name)
        .containsExactly("holdfast memory: any", "reentrant");
  }

  @Test
  void the_same_store_twice_shows_the_noise() {
    assertThat(race("--store memory: --store memory: --peers reentrant").racers())
        .extracting(Racer::name)
        .containsExactly("holdfast memory: any", "holdfast memory: any #2", "reentrant");
  }

  @Test
  void held_locks_are_compared_with_none() {
    assertThat(race("--mode held --held 1000 --peers reentrant").racers())
        .extracting(Racer::name)
        .containsExactly("reentrant, 0 held", "reentrant, 1,000 held");
  }

  @Test
  void redis_without_an_address_is_a_server_of_the_run_for_all() {
    assertThat(race("--store redis: --peers redisson,jedis-set-nx --mode processes").racers())
        .extracting(Racer::name)
        .containsExactly("holdfast redis: any", "redisson", "jedis-set-nx");
    Lineup lineup = new Lineup(folder, kind -> "redis://own:1");
    assertThat(lineup.store(Options.parse(List.of("--peers", "redisson")), StoreKind.REDIS))
        .isEqualTo("redis://own:1");
    assertThat(lineup.store(Options.parse(List.of("--store", "redis://given:2")), StoreKind.REDIS))
        .isEqualTo("redis://given:2");
  }

  @Test
  void names_of_stores_have_no_secrets() {
    assertThat(Entrant.holdfast("redis://:secret@host/0", Order.ANY).contender().name())
        .isEqualTo("holdfast redis: any");
    assertThat(Entrant.holdfast("jdbc:postgresql://h/d?password=p", Order.FIFO).toString())
        .isEqualTo("holdfast jdbc:postgresql: fifo");
  }

  @Test
  void the_preset_takes_about_a_minute() {
    List<Race> races =
        Preset.races(new Lineup(folder, kind -> "redis://own:1"), Preset.TIME, Preset.ROUNDS);
    assertThat(races.stream().mapToDouble(Race::seconds).sum()).isBetween(50.0, 70.0);
  }

  @Test
  void every_bar_has_its_row_in_the_preset() {
    List<Race> races =
        Preset.races(new Lineup(folder, kind -> "redis://own:1"), Preset.TIME, Preset.ROUNDS);
    for (Goal goal : Preset.goals()) {
      assertThat(races)
          .filteredOn(race -> race.heading().equals(goal.heading()))
          .flatExtracting(Race::racers)
          .extracting(Racer::name)
          .contains(goal.racer());
    }
  }
}
