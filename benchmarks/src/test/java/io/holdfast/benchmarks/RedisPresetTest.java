package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisPresetTest {

  @TempDir Path folder;

  private List<Race> races(String line) {
    Lineup lineup = new Lineup(folder, kind -> "redis://127.0.0.1:1");
    return Suite.REDIS.races(lineup, Options.parse(List.of(line.split(" "))));
  }

  @Test
  void every_bar_has_its_row_and_its_peers() {
    List<Race> races = races("redis");
    List<Goal> goals = Suite.REDIS.goals(Options.parse(List.of("redis")));
    assertThat(goals).hasSize(10);
    for (Goal goal : goals) {
      List<String> racers =
          races.stream()
              .filter(race -> race.heading().equals(goal.heading()))
              .flatMap(race -> race.racers().stream())
              .map(Racer::name)
              .toList();
      assertThat(racers).contains(goal.racer());
      if (goal.measure() instanceof Measure.Times times) {
        assertThat(racers).containsAll(times.peers());
      }
      if (goal.measure() instanceof Measure.Ceiling ceiling && !ceiling.above().isEmpty()) {
        assertThat(racers).contains(ceiling.above());
      }
    }
  }

  @Test
  void headings_say_what_the_setups_are() {
    List<Race> races = races("redis");
    assertThat(races).hasSize(8);
    assertThat(races).allSatisfy(race -> assertThat(race.heading()).contains(race.setup().title()));
  }

  @Test
  void it_takes_some_minutes() {
    assertThat(races("redis").stream().mapToDouble(Race::seconds).sum()).isBetween(300.0, 600.0);
  }

  @Test
  void some_rows_can_be_run_alone() {
    assertThat(races("redis --only FIFO"))
        .singleElement()
        .extracting(Race::racers)
        .asInstanceOf(InstanceOfAssertFactories.list(Racer.class))
        .extracting(Racer::name)
        .containsExactly("holdfast redis: fifo", RedisPeers.REDISSON_FAIR);
    assertThat(Suite.REDIS.goals(Options.parse(List.of("redis", "--only", "FIFO")))).hasSize(1);
    assertThatThrownBy(() -> races("redis --only LIFO"))
        .isInstanceOf(BadOptionException.class)
        .hasMessageContaining("--only=LIFO");
  }

  @Test
  void a_server_that_is_given_is_used_instead_of_an_own_one() {
    Lineup lineup =
        new Lineup(
            folder,
            kind -> {
              throw new AssertionError("started");
            });
    Options options = Options.parse(List.of("redis", "--store", "redis://h:1"));
    assertThat(lineup.store(options, StoreKind.REDIS)).isEqualTo("redis://h:1");
    assertThat(Suite.REDIS.races(lineup, options)).isNotEmpty();
  }
}
