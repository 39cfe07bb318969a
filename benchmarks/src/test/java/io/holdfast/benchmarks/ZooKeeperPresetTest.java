package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooKeeperPresetTest {

  @TempDir Path folder;

  private List<Race> races(String... arguments) {
    Lineup lineup = new Lineup(folder, kind -> "zookeeper://127.0.0.1:1");
    return Suite.ZOOKEEPER.races(lineup, Options.parse(List.of(arguments)));
  }

  @Test
  void every_bar_has_its_row_and_its_peers() {
    List<Race> races = races("zookeeper");
    List<Goal> goals = Suite.ZOOKEEPER.goals(Options.parse(List.of("zookeeper")));
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
    List<Race> races = races("zookeeper");
    assertThat(races).hasSize(9);
    assertThat(races).allSatisfy(race -> assertThat(race.heading()).contains(race.setup().title()));
  }

  @Test
  void it_takes_some_minutes() {
    assertThat(races("zookeeper").stream().mapToDouble(Race::seconds).sum())
        .isBetween(150.0, 420.0);
  }

  @Test
  void some_rows_can_be_run_alone() {
    assertThat(races("zookeeper", "--only", "x 4 threads, FIFO"))
        .singleElement()
        .extracting(Race::racers)
        .asInstanceOf(InstanceOfAssertFactories.list(Racer.class))
        .extracting(Racer::name)
        .containsExactly("holdfast zookeeper: fifo", ZooKeeperPeers.CURATOR);
    assertThat(Suite.ZOOKEEPER.goals(Options.parse(List.of("zookeeper", "--only", "FIFO"))))
        .hasSize(3);
    assertThatThrownBy(() -> races("zookeeper", "--only", "LIFO"))
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
    Options options = Options.parse(List.of("zookeeper", "--store", "zookeeper://h:1"));
    assertThat(lineup.store(options, StoreKind.ZOOKEEPER)).isEqualTo("zookeeper://h:1");
    assertThat(Suite.ZOOKEEPER.races(lineup, options)).isNotEmpty();
  }
}
