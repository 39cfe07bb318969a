package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.benchmarks.peers.Peers;
import io.holdfast.benchmarks.suites.Goal;
import io.holdfast.benchmarks.suites.Measure;
import io.holdfast.benchmarks.suites.RaceFactory;
import io.holdfast.benchmarks.suites.Suite;
import io.holdfast.cli.CliException;
import io.holdfast.cli.bench.Race;
import io.holdfast.cli.bench.RaceEntry;
import io.holdfast.cli.bench.RaceSetup;
import io.holdfast.cli.bench.StoreKind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The suites that need a store: their races, their bars, and how they are asked for. */
class StoreSuitesTest {

  @TempDir Path folder;

  private List<Race> races(String... arguments) {
    BenchOptions options = BenchOptions.parse(List.of(arguments));
    return races(new RaceFactory(folder, StoreSuitesTest::own), options);
  }

  private static List<Race> races(RaceFactory factory, BenchOptions options) {
    RaceSetup setup = options.setup();
    String store = factory.store(options.stores(), suite(options).store().orElseThrow());
    return suite(options).races(factory, store, setup.time(), setup.rounds(), options.only());
  }

  private static List<Goal> goals(String... arguments) {
    BenchOptions options = BenchOptions.parse(List.of(arguments));
    return suite(options).goals(options.only());
  }

  private static Suite suite(BenchOptions options) {
    return options.suite().orElseThrow();
  }

  private static String own(StoreKind kind) {
    String address = kind.prefix() + "//127.0.0.1:1";
    return address.startsWith("jdbc:") ? address + "/d?user=u" : address;
  }

  @ParameterizedTest
  @CsvSource({"redis, 10", "etcd, 8", "zookeeper, 10", "postgres, 11", "mariadb, 1", "sqlite, 0"})
  void every_bar_has_its_row_and_its_peers(String suite, int count) {
    List<Race> races = races(suite);
    assertThat(goals(suite)).hasSize(count);
    for (Goal goal : goals(suite)) {
      List<String> entries =
          races.stream()
              .filter(race -> race.heading().equals(goal.heading()))
              .flatMap(race -> race.entries().stream())
              .map(RaceEntry::name)
              .toList();
      assertThat(entries).contains(goal.entry());
      if (goal.measure() instanceof Measure.Times times) {
        assertThat(entries).containsAll(times.peers());
      }
      if (goal.measure() instanceof Measure.Ceiling ceiling && !ceiling.above().isEmpty()) {
        assertThat(entries).contains(ceiling.above());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"redis, 8", "etcd, 7", "zookeeper, 9", "postgres, 8", "mariadb, 5", "sqlite, 3"})
  void headings_say_what_the_setups_are(String suite, int count) {
    List<Race> races = races(suite);
    assertThat(races).hasSize(count);
    assertThat(races).allSatisfy(race -> assertThat(race.heading()).contains(race.setup().title()));
  }

  @ParameterizedTest
  @CsvSource({
    "redis, 300, 600",
    "etcd, 150, 420",
    "zookeeper, 150, 420",
    "postgres, 240, 360",
    "mariadb, 120, 240",
    "sqlite, 10, 60"
  })
  void they_take_some_minutes(String suite, double least, double most) {
    assertThat(races(suite).stream().mapToDouble(Race::seconds).sum()).isBetween(least, most);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "redis | FIFO | holdfast redis: fifo | " + Peers.REDISSON_FAIR,
        "etcd | FIFO | holdfast etcd: fifo | " + Peers.JETCD_LOCK,
        "zookeeper | x 4 threads, FIFO | holdfast zookeeper: fifo | " + Peers.CURATOR_MUTEX,
        "postgres | sessions | holdfast jdbc:postgresql: session any | " + Peers.RAW_ADVISORY
      })
  void some_rows_can_be_run_alone(String suite, String only, String ours, String theirs) {
    assertThat(races(suite, "--only", only).get(0).entries())
        .extracting(RaceEntry::name)
        .containsExactly(ours, theirs);
  }

  @ParameterizedTest
  @CsvSource({"redis, 1, 1", "etcd, 1, 1", "zookeeper, 1, 1"})
  void rows_that_are_run_alone_have_their_bars(String suite, int rows, int bars) {
    assertThat(races(suite, "--only", "FIFO")).hasSize(rows);
    assertThat(goals(suite, "--only", "FIFO")).hasSize(bars);
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis", "etcd", "zookeeper"})
  void rows_that_are_not_there_are_refused(String suite) {
    assertThatThrownBy(() -> races(suite, "--only", "LIFO"))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("--only=LIFO");
  }

  @ParameterizedTest
  @CsvSource({
    "redis, redis://h:1",
    "etcd, etcd://h:1",
    "zookeeper, zookeeper://h:1",
    "postgres, jdbc:postgresql://h:1/d"
  })
  void a_server_that_is_given_is_used_instead_of_an_own_one(String suite, String given) {
    RaceFactory lineup =
        new RaceFactory(
            folder,
            kind -> {
              throw new AssertionError("started");
            });
    BenchOptions options = BenchOptions.parse(List.of(suite, "--store", given));
    StoreKind kind = suite(options).store().orElseThrow();
    assertThat(lineup.store(options.stores(), kind)).isEqualTo(given);
    assertThat(races(lineup, options)).isNotEmpty();
  }

  @Test
  void peers_run_over_the_database_that_is_there() {
    RaceFactory lineup = new RaceFactory(folder, kind -> kind.prefix() + "//own:1/d");
    BenchOptions options =
        BenchOptions.parse(List.of("--store", "jdbc:mariadb:", "--peers", "spring-jdbc,raw-row"));
    assertThat(
            lineup
                .of(options.stores(), options.peers(), options.order(), options.setup())
                .entries())
        .extracting(RaceEntry::name)
        .containsExactly("holdfast jdbc:mariadb: any", "spring-jdbc", "raw-row");
  }
}
