package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdPresetTest {

  @TempDir Path folder;

  private List<Race> races(String line) {
    Lineup lineup = new Lineup(folder, kind -> "etcd://127.0.0.1:1");
    return Suite.ETCD.races(lineup, Options.parse(List.of(line.split(" "))));
  }

  @Test
  void every_bar_has_its_row_and_its_peers() {
    List<Race> races = races("etcd");
    List<Goal> goals = Suite.ETCD.goals(Options.parse(List.of("etcd")));
    assertThat(goals).hasSize(8);
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
    List<Race> races = races("etcd");
    assertThat(races).hasSize(7);
    assertThat(races).allSatisfy(race -> assertThat(race.heading()).contains(race.setup().title()));
  }

  @Test
  void it_takes_some_minutes() {
    assertThat(races("etcd").stream().mapToDouble(Race::seconds).sum()).isBetween(150.0, 420.0);
  }

  @Test
  void some_rows_can_be_run_alone() {
    assertThat(races("etcd --only FIFO"))
        .singleElement()
        .extracting(Race::racers)
        .asInstanceOf(InstanceOfAssertFactories.list(Racer.class))
        .extracting(Racer::name)
        .containsExactly("holdfast etcd: fifo", EtcdPeers.JETCD);
    assertThat(Suite.ETCD.goals(Options.parse(List.of("etcd", "--only", "FIFO")))).hasSize(1);
    assertThatThrownBy(() -> races("etcd --only LIFO"))
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
    Options options = Options.parse(List.of("etcd", "--store", "etcd://h:1"));
    assertThat(lineup.store(options, StoreKind.ETCD)).isEqualTo("etcd://h:1");
    assertThat(Suite.ETCD.races(lineup, options)).isNotEmpty();
  }
}
