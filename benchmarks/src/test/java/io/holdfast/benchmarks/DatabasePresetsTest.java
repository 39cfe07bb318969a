package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabasePresetsTest {

  @TempDir Path folder;

  private List<Race> races(String line) {
    Options options = Options.parse(List.of(line.split(" ")));
    Lineup lineup = new Lineup(folder, kind -> kind.prefix() + "//127.0.0.1:1/d?user=u");
    return options.suite().orElseThrow().races(lineup, options);
  }

  private static List<Goal> goals(String suite) {
    Options options = Options.parse(List.of(suite));
    return options.suite().orElseThrow().goals(options);
  }

  @ParameterizedTest
  @CsvSource({"postgres, 11", "mariadb, 1", "sqlite, 0"})
  void every_bar_has_its_row_and_its_peers(String suite, int count) {
    List<Race> races = races(suite);
    assertThat(goals(suite)).hasSize(count);
    for (Goal goal : goals(suite)) {
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
    }
  }

  @ParameterizedTest
  @CsvSource({"postgres, 8", "mariadb, 5", "sqlite, 3"})
  void headings_say_what_the_setups_are(String suite, int count) {
    List<Race> races = races(suite);
    assertThat(races).hasSize(count);
    assertThat(races).allSatisfy(race -> assertThat(race.heading()).contains(race.setup().title()));
  }

  @ParameterizedTest
  @CsvSource({"postgres, 240, 360", "mariadb, 120, 240", "sqlite, 10, 60"})
  void they_take_some_minutes(String suite, double least, double most) {
    assertThat(races(suite).stream().mapToDouble(Race::seconds).sum()).isBetween(least, most);
  }

  @Test
  void modes_of_an_engine_have_names_of_their_own() {
    assertThat(races("postgres --only sessions").get(0).racers())
        .extracting(Racer::name)
        .containsExactly("holdfast jdbc:postgresql: session any", DatabasePeers.RAW_ADVISORY);
  }

  @Test
  void a_server_that_is_given_is_used_instead_of_an_own_one() {
    Lineup lineup =
        new Lineup(
            folder,
            kind -> {
              throw new AssertionError("started");
            });
    String given = "jdbc:postgresql://h:1/d";
    Options options = Options.parse(List.of("postgres", "--store", given));
    assertThat(lineup.store(options, StoreKind.POSTGRES)).isEqualTo(given);
    assertThat(Suite.POSTGRES.races(lineup, options)).isNotEmpty();
  }

  @Test
  void peers_run_over_the_database_that_is_there() {
    Lineup lineup = new Lineup(folder, kind -> kind.prefix() + "//own:1/d");
    Options options =
        Options.parse(List.of("--store", "jdbc:mariadb:", "--peers", "spring-jdbc,raw-row"));
    assertThat(lineup.of(options).racers())
        .extracting(Racer::name)
        .containsExactly("holdfast jdbc:mariadb: any", "spring-jdbc", "raw-row");
  }
}
