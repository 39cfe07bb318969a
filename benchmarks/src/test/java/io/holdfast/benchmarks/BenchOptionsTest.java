package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.benchmarks.runners.HeldRunner;
import io.holdfast.benchmarks.suites.MemorySuite;
import io.holdfast.benchmarks.suites.RaceFactory;
import io.holdfast.benchmarks.suites.RedisSuite;
import io.holdfast.benchmarks.suites.Suite;
import io.holdfast.cli.CliException;
import io.holdfast.cli.bench.LoadMode;
import io.holdfast.cli.bench.RaceSetup;
import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchOptionsTest {

  private static BenchOptions parse(String line) {
    return BenchOptions.parse(line.isEmpty() ? List.of() : List.of(line.split(" ")));
  }

  @Test
  void nothing_is_the_preset() {
    BenchOptions options = parse("");
    assertThat(options.suite()).contains(Suite.MEMORY);
    assertThat(options.setup().time()).isEqualTo(MemorySuite.TIME);
    assertThat(options.setup().rounds()).isEqualTo(MemorySuite.ROUNDS);
    assertThat(parse("--check --seconds 0.5 --rounds 1").suite()).contains(Suite.MEMORY);
    assertThat(parse("--threads 2").suite()).isEmpty();
  }

  @Test
  void a_suite_can_be_named() {
    assertThat(parse("memory --check").suite()).contains(Suite.MEMORY);
    BenchOptions options = parse("redis --store redis://h:1 --only own --check");
    assertThat(options.suite()).contains(Suite.REDIS);
    assertThat(options.stores()).containsExactly("redis://h:1");
    assertThat(options.only()).contains("own");
    assertThat(options.setup().time()).isEqualTo(RedisSuite.TIME);
    assertThat(options.setup().rounds()).isEqualTo(RedisSuite.ROUNDS);
  }

  @Test
  void peers_without_names_are_those_of_the_suite_of_the_store() {
    BenchOptions options = parse("--store redis://h:1 --peers --rounds 2");
    assertThat(options.suite()).contains(Suite.REDIS);
    assertThat(options.stores()).containsExactly("redis://h:1");
    assertThat(options.setup().rounds()).isEqualTo(2);
    assertThat(parse("--peers --store=jdbc:postgresql://h/d").suite()).contains(Suite.POSTGRES);
    assertThat(parse("etcd --peers").suite()).contains(Suite.ETCD);
    assertThat(parse("--peers redisson").suite()).isEmpty();
  }

  @Test
  void peers_without_names_and_without_a_store_are_those_of_the_environment_or_of_memory() {
    assertThat(PeersShortcut.asSuite(List.of("--peers"), null)).containsExactly("memory");
    assertThat(PeersShortcut.asSuite(List.of("--peers", "--check"), "zookeeper://h"))
        .containsExactly("zookeeper", "--check", "--store", "-");
  }

  @Test
  void everything_can_be_said() {
    BenchOptions options =
        parse(
            "--store memory: --store=memory:x --peers reentrant,file-lock --order fifo"
                + " --mode shared --threads 3 --section 200us --seconds 0.25 --rounds 7 --profile");
    assertThat(options.stores()).containsExactly("memory:", "memory:x");
    assertThat(options.peers()).containsExactly("reentrant", "file-lock");
    assertThat(options.order()).isEqualTo(Order.FIFO);
    assertThat(options.profile()).isTrue();
    assertThat(options.setup())
        .isEqualTo(
            new RaceSetup(
                LoadMode.SHARED, 3, 1, 0, Duration.ofNanos(200_000), Duration.ofMillis(250), 7));
  }

  @Test
  void the_store_is_memory_unless_only_peers_are_named() {
    assertThat(parse("--threads 2").stores()).containsExactly("memory:");
    assertThat(parse("--peers reentrant").stores()).isEmpty();
  }

  @Test
  void defaults_fit_the_mode() {
    assertThat(parse("--mode own").setup().threads()).isEqualTo(16);
    assertThat(parse("--mode processes").setup().threads()).isEqualTo(4);
    assertThat(parse("--mode processes").setup().processes()).isEqualTo(3);
    assertThat(parse("--mode held").setup().held()).isEqualTo(10_000);
    assertThat(parse("--mode held").setup().time()).isGreaterThan(HeldRunner.LEASE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--threads 0            | --threads must be a whole number, 1..1000: --threads=0",
        "--threads 1e3          | --threads must be a whole number, 1..1000: --threads=1e3",
        "--threads 99999999999  | 1..1000: --threads=99999999999",
        "--rounds=-1            | --rounds must be a whole number, 1..100: --rounds=-1",
        "--seconds never        | --seconds must be a number of seconds, from 10 ms to 600 s: --seconds=never",
        "--seconds 601          | from 10 ms to 600 s: --seconds=601",
        "--mode held --seconds 1| from 2.5 s to 600 s: --seconds=1",
        "--section 2m           | --section must be 0 or a time such as 200us or 2ms, from 0 ns to 1 s: --section=2m",
        "--section 5s           | from 0 ns to 1 s: --section=5s",
        "--mode both            | --mode must be one of [own, mixed, shared, processes, processes-own, held, cold]: --mode=both",
        "--order lifo           | --order must be one of [any, fifo]: --order=lifo",
        "--peers reentrant,curatr | --peers must be names of [curator-framework, curator-mutex, curator-semaphore, etcd-txn, file-lock, jedis-set-nx, jetcd-lock, raw-advisory, raw-row, redisson, redisson-fair, redisson-fenced, reentrant, reentrant-fair, shedlock, spring-jdbc, spring-redis-pubsub, spring-redis-spin, zookeeper-raw]: --peers=curatr",
        "--peers --store rediss://h | no suite with other libraries over such a store",
        "--peers --store        | --store needs a value",
        "--peers --store redis://h --mode own | the suite redis has its own races",
        "--processes 2          | --processes needs --mode processes",
        "--held 5               | --held needs --mode held",
        "--mode held --section 1us | --section does not go with --mode held",
        "--mode processes --profile | --profile looks into this process",
        "--check --threads 2    | --check is about the races of a suite",
        "--only own --threads 2 | --only is about the races of a suite",
        "redis --threads 2      | the suite redis has its own races: it does not go with [--threads]",
        "memory --store memory:| the suite memory has its own races",
        "postgres --store redis: | the suite postgres has its own races: it does not go with [--store]",
        "--mode cold --threads 2 | --threads does not go with --mode cold",
        "--mode cold --profile | --profile looks into this process",
        "rediss                 | no such option: rediss",
        "--threads 2 --threads 3 | --threads must be given once: --threads=3",
        "--threads              | --threads needs a value",
        "--thread 2             | no such option: --thread",
        "--check=yes            | no such option: --check=yes",
        "--json /no/such/folder/a.json | --json must be a file in a folder that exists: --json=/no/such/folder/a.json"
      })
  void bad_options_are_named_with_their_value_and_rule(String line, String message) {
    assertThatThrownBy(() -> parse(line))
        .isInstanceOf(CliException.class)
        .hasMessageContaining(message);
  }

  @Test
  void a_store_without_a_scheme_is_refused_without_quoting_it(@TempDir Path folder) {
    BenchOptions options = parse("--store user:secret@host".replace("user:", ""));
    assertThatThrownBy(
            () -> RaceFactoryTest.race(new RaceFactory(folder, kind -> "redis://own:1"), options))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("--store must begin with a scheme")
        .hasMessageNotContaining("secret");
  }

  @ParameterizedTest
  @CsvSource({"--store memory:, holdfast memory: any", "--peers reentrant, reentrant"})
  void what_lives_in_one_process_is_refused_for_several(
      String contender, String name, @TempDir Path folder) {
    BenchOptions options = parse("--mode processes " + contender);
    assertThatThrownBy(
            () -> RaceFactoryTest.race(new RaceFactory(folder, kind -> "redis://own:1"), options))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("--mode processes")
        .hasMessageContaining(name + " keeps its locks within one process");
  }
}
